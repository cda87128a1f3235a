#!/usr/bin/env bash
# Downloads a backup of the vault, checks that it is whole, and keeps the newest ones. Made for cron and launchd: prints the
# file's name when all is well, one line on stderr when not. Works with the bash of macOS (3.2) and of Linux.
set -u
umask 077 # a backup is for its owner alone

usage() {
  cat <<'TEXT'
usage: scripts/backup.sh [--keep N] [--no-embeddings] DIR

Writes DIR/memory-vault-<time>.jsonl. A file under that name is always whole: it is written under another name, checked
(SHA-256 and number of rows, as the file itself says), and only then renamed.

  --keep N         keep the newest N backups of DIR and remove older ones (30; 0 keeps all)
  --no-embeddings  leave out what a restore can make anew: a smaller file

From the environment, never from the command line, where every user of the machine could read it:
  VAULT_URL                where the vault is, such as https://vault.example.com
  CF_ACCESS_CLIENT_ID      a Cloudflare Access service token whose role in ACCESS_SERVICE_TOKENS
  CF_ACCESS_CLIENT_SECRET  is backup (both may be missing for a vault on this machine)

Exit codes: 0 a whole backup was written; 2 wrong usage or a setting is missing; 3 the vault could not be reached or refused;
4 what came is not whole; 5 DIR cannot be written; 6 a tool is missing
TEXT
}

fail() {
  local code=$1
  shift
  printf 'backup.sh: %s\n' "$*" >&2
  exit "$code"
}

keep=30 query='' dir=''
while [ $# -gt 0 ]; do
  case $1 in
    --keep)
      [ $# -ge 2 ] || fail 2 "--keep needs a number"
      keep=$2
      shift
      ;;
    --no-embeddings) query='?embeddings=0' ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *)
      [ -z "$dir" ] || fail 2 "one folder, please"
      dir=$1
      ;;
  esac
  shift
done
case $keep in '' | *[!0-9]*) fail 2 "--keep needs a number, 0 or more" ;; esac
[ -n "$dir" ] || { usage >&2 && exit 2; }

url=${VAULT_URL:-} id=${CF_ACCESS_CLIENT_ID:-} secret=${CF_ACCESS_CLIENT_SECRET:-}
url=${url%/}
# Quotes and backslashes would end the value in curl's configuration; no address and no token has them.
case $url$id$secret in *[\"\\]* | *$'\n'*) fail 2 "a quote, backslash or line feed in VAULT_URL or the service token" ;; esac
case $url in
  https://?*) ;;
  http://localhost | http://localhost:* | http://127.0.0.1 | http://127.0.0.1:* | http://\[::1\] | http://\[::1\]:*) ;;
  '') fail 2 "VAULT_URL is not set" ;;
  *) fail 2 "VAULT_URL must begin with https:// (or be a vault on this machine): a service token is not sent in the clear" ;;
esac
case ${id:+i}${secret:+s} in '' | is) ;; *) fail 2 "CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET belong together" ;; esac

for tool in curl awk sed; do command -v $tool >/dev/null || fail 6 "$tool is not installed"; done
if command -v sha256sum >/dev/null; then
  hash_of() { sha256sum | cut -c1-64; }
elif command -v shasum >/dev/null; then
  hash_of() { shasum -a 256 | cut -c1-64; }
elif command -v openssl >/dev/null; then
  hash_of() { openssl dgst -sha256 | sed 's/.*= *//'; }
else
  fail 6 "sha256sum, shasum or openssl is needed"
fi

mkdir -p "$dir" 2>/dev/null || fail 5 "cannot make the folder $dir"
if [ ! -d "$dir" ] || [ ! -w "$dir" ]; then fail 5 "cannot write into $dir"; fi
partial=$(mktemp "$dir/.memory-vault-partial.XXXXXX" 2>/dev/null) || fail 5 "cannot write into $dir"
errors=$(mktemp "${TMPDIR:-/tmp}/memory-vault-errors.XXXXXX" 2>/dev/null) || { rm -f "$partial" && fail 5 "cannot write a temporary file"; }
trap 'rm -f "$partial" "$errors"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# curl reads address and token from a pipe: the command line shows neither.
configuration() {
  printf 'url = "%s/api/backup%s"\n' "$url" "$query"
  [ -z "$id" ] || printf 'header = "CF-Access-Client-Id: %s"\nheader = "CF-Access-Client-Secret: %s"\n' "$id" "$secret"
}

status=0
code=$(configuration | curl --config - --silent --show-error --max-redirs 0 --connect-timeout 30 --speed-limit 1 --speed-time 120 \
  --output "$partial" --write-out '%{http_code}' 2>"$errors") || status=$?
case $status in
  0) ;;
  23) fail 5 "cannot write into $dir (is the disk full?)" ;;
  18 | 28 | 56 | 92) fail 4 "the download broke off: $(head -n 1 "$errors")" ;;
  *) fail 3 "the vault could not be reached: $(head -n 1 "$errors")" ;;
esac
case $code in
  200) ;;
  30*) fail 3 "Cloudflare Access did not accept the service token (it answered $code): check the token and the Service Auth policy" ;;
  401 | 403) fail 3 "the vault refused ($code): the token must be in ACCESS_SERVICE_TOKENS with the role backup" ;;
  *) fail 3 "the vault answered $code: $(head -c 300 "$partial" | tr -d '\n')" ;;
esac

# The file's own last line says how much there must be before it.
trailer=$(tail -n 1 "$partial")
case $trailer in
  '{"end":true,'*'}') ;;
  *) fail 4 "the download is not whole: its last line is missing" ;;
esac
said_rows=$(printf '%s' "$trailer" | sed -n 's/.*"rows":\([0-9][0-9]*\).*/\1/p')
said_hash=$(printf '%s' "$trailer" | sed -n 's/.*"sha256":"\([0-9a-f]*\)".*/\1/p')
rows=$(awk 'END { print NR - 2 }' "$partial")
[ "$rows" = "$said_rows" ] || fail 4 "the download has $rows rows and says $said_rows"
hash=$(sed '$d' "$partial" | hash_of)
[ "$hash" = "$said_hash" ] || fail 4 "the download's SHA-256 is another than it says"

new_name() { name=memory-vault-$(date -u +%Y-%m-%dT%H%M%SZ).jsonl; }
new_name
# Names sort by time, so two backups of one second take two names of two seconds.
while [ -e "$dir/$name" ]; do
  sleep 1
  new_name
done
sync 2>/dev/null || :
mv "$partial" "$dir/$name" 2>/dev/null || fail 5 "cannot rename the backup in $dir"

# The newest stay; the names sort by time.
if [ "$keep" -gt 0 ]; then
  count=0
  for old in "$dir"/memory-vault-*Z*.jsonl; do
    [ ! -f "$old" ] || count=$((count + 1))
  done
  for old in "$dir"/memory-vault-*Z*.jsonl; do
    [ "$count" -gt "$keep" ] || break
    rm -f "$old" || fail 5 "cannot remove $old"
    count=$((count - 1))
  done
fi
printf '%s\n' "$dir/$name"
