# shellcheck shell=bash
# The library of the scripts: where things are, how what is missing gets installed. Source it; sourcing runs nothing.
#
#   MEMORY_VAULT_CACHE=DIR    where compiled tools are kept for every checkout of this user
#                             (default: memory-vault in $XDG_CACHE_HOME or ~/.cache), one folder per tool and version
#   VAULT_TOOLCHAIN=debian    take Debian's compiler for WebAssembly even where rustup could serve it
#
# Two ways to compile for wasm32-unknown-unknown. The ordinary one: the compiler on PATH, whose standard library for that target
# `rustup target add` installs. Where that download is out of reach, the Debian one: apt installs a second compiler with its
# library sources, the library is built from them once and put into a private sysroot in the cache, together with two small
# doors named cargo and rustc. Only the build of the Worker uses those; native tests and lints keep the compiler on PATH.
# The other tools come from the Rust registry and from npm, in the exact versions of the two lock files.

set -euo pipefail
unset CDPATH

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
scripts=$root/scripts
cache=${MEMORY_VAULT_CACHE:-${XDG_CACHE_HOME:-${HOME:-$root/target}/.cache}/memory-vault}
case ${CARGO_TARGET_DIR:-} in
  '') target=$root/target ;;
  /*) target=$CARGO_TARGET_DIR ;;
  *) target=$PWD/$CARGO_TARGET_DIR && export CARGO_TARGET_DIR=$target ;;
esac
wasm=wasm32-unknown-unknown

say() { printf '%s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# with_lock FILE COMMAND…: one at a time across processes. The command gets no copy of the lock, so nothing it starts can keep it.
with_lock() {
  local file=$1
  shift
  mkdir -p "$(dirname "$file")" || die "cannot write to $(dirname "$file") (MEMORY_VAULT_CACHE=DIR moves the cache of tools)"
  command -v flock >/dev/null || { "$@"; return; }
  (
    flock -n 9 || { say "waiting for another process ($file)"; flock 9; }
    "$@" 9>&-
  ) 9>"$file"
}

# in_group COMMAND…: runs it in a process group of its own and waits. A signal to us ends the whole group, compilers included;
# whatever is still running in it when the command is done is ended too.
in_group() {
  local status=0
  set -m
  "$@" &
  group=$!
  set +m
  trap 'stop_group; exit 130' INT
  trap 'stop_group; exit 143' TERM HUP
  wait "$group" || status=$?
  trap - INT TERM HUP
  stop_group
  return "$status"
}

stop_group() {
  local signal
  for signal in TERM TERM KILL; do
    kill "-$signal" -- "-$group" 2>/dev/null || return 0
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      kill -0 -- "-$group" 2>/dev/null || return 0
      sleep 0.1
    done
  done
}

# quietly WHAT COMMAND…: says what it does, keeps the output to itself, shows the end of it on failure.
quietly() {
  local what=$1 log start=$SECONDS
  shift
  log=$(mktemp)
  say "$what…"
  if ! "$@" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    rm -f "$log"
    say "error: $what: failed"
    return 1
  fi
  rm -f "$log"
  say "$what: done in $((SECONDS - start)) s"
}

if command -v sha256sum >/dev/null; then sha256=(sha256sum); else sha256=(shasum -a 256); fi

hash_text() { "${sha256[@]}" | cut -c1-16; }

# hash_files PATH…: one hash over names and contents of all files at these paths; paths that do not exist are left out.
hash_files() {
  local path
  for path in "$@"; do [ ! -e "$path" ] || find "$path" -type f -print; done |
    LC_ALL=C sort | tr '\n' '\0' | xargs -0 "${sha256[@]}" | hash_text
}

# locked_version CRATE: its version in Cargo.lock.
locked_version() {
  local version
  version=$(awk -v name="name = \"$1\"" '$0 == name { getline; gsub(/version = |"/, ""); print; exit }' "$root/Cargo.lock")
  [ -n "$version" ] || die "$1 is not in Cargo.lock"
  printf '%s\n' "$version"
}

# --- Rust -------------------------------------------------------------------------------------------------------------

ensure_rust() {
  if command -v cargo >/dev/null && command -v rustc >/dev/null; then return; fi
  die "Rust is missing: install it with rustup (its default settings will do), then run this again"
}

# ensure_component rustfmt|clippy
ensure_component() {
  local command=cargo-${1/rustfmt/fmt}
  "$command" --version >/dev/null 2>&1 && return
  command -v rustup >/dev/null && quietly "installing $1 with rustup" rustup component add "$1" && return
  die "$1 is missing: install it (rustup component add $1, or the package of your system that has $command)"
}

has_wasm() {
  local library
  library=$("$1" --print target-libdir --target $wasm 2>/dev/null) && ls "$library"/libstd-*.rlib >/dev/null 2>&1
}

debian_home() { printf '%s/debian-%s\n' "$cache" "$(/usr/bin/rustc -vV 2>/dev/null | hash_text)"; }

# wasm_path: PATH for builds of the Worker.
wasm_path() {
  if [ "${VAULT_TOOLCHAIN:-}" != debian ] && has_wasm rustc; then
    printf '%s\n' "$PATH"
  else
    printf '%s/bin:%s\n' "$(debian_home)" "$PATH"
  fi
}

ensure_wasm() {
  local ordinary=1
  if [ "${VAULT_TOOLCHAIN:-}" = debian ]; then ordinary=; fi
  if [ -n "$ordinary" ] && has_wasm rustc; then return; fi
  [ ! -d "$(debian_home)" ] || return 0
  if [ -n "$ordinary" ]; then
    if command -v rustup >/dev/null && quietly "adding $wasm with rustup" rustup target add "$wasm" && has_wasm rustc; then return; fi
    say "$wasm cannot be added to the compiler on PATH: taking Debian's for the Worker"
  fi
  with_lock "$cache/debian.lock" ensure_debian
}

ensure_debian() {
  command -v apt-get >/dev/null ||
    die "the $wasm library is missing: run 'rustup target add $wasm' where that download is allowed"
  local as_root=() llvm packages=(rustc-web cargo-web rust-web-src)
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  if ! [ -x /usr/bin/rustc ] || ! [ -x /usr/bin/cargo ] || ! [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src" ]; then
    apt_install "${packages[@]}" || die "could not install ${packages[*]}: run 'apt-get install ${packages[*]}' as root"
  fi
  llvm=$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  command -v "wasm-ld-$llvm" >/dev/null || apt_install "lld-$llvm" || die "could not install the linker: run 'apt-get install lld-$llvm' as root"
  local home
  home=$(debian_home)
  [ -d "$home" ] || quietly "building the $wasm library for Debian's compiler (about a minute, once per compiler)" build_debian "$home" "wasm-ld-$llvm"
}

apt_install() {
  quietly "installing $* with apt" "${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@" && return
  quietly "refreshing apt's lists" "${as_root[@]+"${as_root[@]}"}" apt-get update &&
    quietly "installing $* with apt" "${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "$@"
}

# build_debian HOME LINKER: a sysroot of links to Debian's, with the wasm library and the linker added, and its two doors.
build_debian() {
  local home=$1 part=$1.part real host
  real=$(/usr/bin/rustc --print sysroot)/lib/rustlib
  host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
  rm -rf "$part"
  mkdir -p "$part/empty/src" "$part/bin" "$part/sysroot/lib/rustlib/$host/bin" "$part/sysroot/lib/rustlib/$wasm/lib" || return
  : >"$part/empty/src/lib.rs"
  printf '[package]\nname = "empty"\nedition = "2021"\n[workspace]\n' >"$part/empty/Cargo.toml"
  # Without its bitcode the library could not take part in link-time optimisation.
  (cd "$part/empty" && env -u CARGO_TARGET_DIR PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes \
    /usr/bin/cargo build --release -Zbuild-std=std,panic_abort,proc_macro --target $wasm) || return
  rm -f "$part/empty/target/$wasm/release/deps"/libempty-*
  cp "$part/empty/target/$wasm/release/deps"/lib*.rlib "$part/sysroot/lib/rustlib/$wasm/lib/" || return
  ln -s "$real/$host/lib" "$part/sysroot/lib/rustlib/$host/lib" &&
    ln -s "$(command -v "$2")" "$part/sysroot/lib/rustlib/$host/bin/rust-lld" &&
    ln -s /usr/bin/cargo "$part/bin/cargo" &&
    printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot "%s/sysroot" "$@"\n' "$home" >"$part/bin/rustc" &&
    chmod +x "$part/bin/rustc" && rm -rf "$part/empty" && mv "$part" "$home"
}

# --- tools from the Rust registry --------------------------------------------------------------------------------------

# cargo_tool CRATE VERSION PROGRAM: the path of a program, from PATH if it is there in this very version.
cargo_tool() {
  case "$("$3" --version 2>/dev/null || :)" in
    "$2" | *" $2") command -v "$3" ;;
    *) printf '%s/%s-%s/bin/%s\n' "$cache" "$1" "$2" "$3" ;;
  esac
}

ensure_cargo_tool() {
  [ -x "$(cargo_tool "$@")" ] || with_lock "$cache/$1-$2.lock" install_cargo_tool "$@"
}

install_cargo_tool() {
  local home=$cache/$1-$2
  [ ! -x "$home/bin/$3" ] || return 0 # another process has just installed it
  quietly "compiling $1 $2 from the Rust registry (a few minutes, once per machine)" compile_cargo_tool "$@"
}

# Its speed does not matter, so without optimisation, in a third of the time. The crate's own lock file first; if the registry
# lacks a version it names, whatever fits. An interrupted compilation goes on where it stopped.
compile_cargo_tool() {
  local home=$cache/$1-$2 part=$cache/$1-$2.part
  local install=(cargo install --debug --force --version "$2" --root "$part/root" --target-dir "$part/target" "$1")
  "${install[@]}" --locked || "${install[@]}" || return
  rm -rf "$home" && mv "$part/root" "$home" && rm -rf "$part"
}

# --- npm ---------------------------------------------------------------------------------------------------------------

ensure_node() {
  if command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null; then return; fi
  die "Node.js 18 or newer with npm is missing: install it from your system's packages or nodejs.org"
}

# ensure_npm run|full: what building and running needs, or also the MCP clients of the tests.
ensure_npm() {
  npm_ready "$1" || with_lock "$target/npm.lock" install_npm "$1"
}

npm_stamp() { hash_files "$scripts/package-lock.json" "$scripts/package.json" "$scripts/.npmrc"; }

npm_ready() {
  local stamp
  stamp=$(npm_stamp)
  [ "$(cat "$scripts/node_modules/.ready-full" 2>/dev/null)" = "$stamp" ] ||
    { [ "$1" = run ] && [ "$(cat "$scripts/node_modules/.ready-run" 2>/dev/null)" = "$stamp" ]; }
}

install_npm() {
  local omit=() what="workerd, esbuild, binaryen"
  npm_ready "$1" && return
  if [ "$1" = run ]; then omit=(--omit=dev); else what="$what and the MCP clients"; fi
  quietly "installing $what from npm" npm ci --prefix "$scripts" --prefer-offline ${omit[@]+"${omit[@]}"} &&
    npm_stamp >"$scripts/node_modules/.ready-$1"
}

is_node_22() { "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)' 2>/dev/null; }

node_22_version() { node -p 'require(process.argv[1]).config.node' "$scripts/package.json"; }

# node_22: the path of a Node that is new enough for the MCP clients (22.19): the one on PATH, or our own.
node_22() {
  if is_node_22 node; then command -v node; else printf '%s/node-%s/bin/node\n' "$cache" "$(node_22_version)"; fi
}

ensure_node_22() {
  is_node_22 "$(node_22)" || with_lock "$cache/node.lock" install_node_22 "$(node_22_version)"
}

install_node_22() {
  local version=$1 home=$cache/node-$1 part=$cache/node-$1.part package
  ! is_node_22 "$home/bin/node" || return 0
  package=$(node -p '["node", process.platform, process.arch].join("-")')
  rm -rf "$part" && mkdir -p "$part"
  quietly "installing Node $version from npm (this system's is older than 22.19)" \
    npm install --prefix "$part" --no-save --ignore-scripts "$package@$version" ||
    die "Node 22.19 or newer is missing: install it from nodejs.org"
  rm -rf "$home" && mv "$part/node_modules/$package" "$home" && rm -rf "$part"
}

# --- Python -----------------------------------------------------------------------------------------------------------

python_requirements=$root/tests/clients/requirements.txt

# python_mcp: the virtual environment that holds the Python MCP clients, one for each set of requirements.
python_mcp() { printf '%s/python-mcp-%s\n' "$cache" "$(hash_text <"$python_requirements")"; }

ensure_python_mcp() {
  [ -e "$(python_mcp)/.ready" ] || with_lock "$cache/python.lock" install_python_mcp "$(python_mcp)"
}

install_python_mcp() {
  [ ! -e "$1/.ready" ] || return 0
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    die "Python 3.10 or newer with venv is missing: install it (on Debian: apt-get install python3 python3-venv)"
  install_python python3 "$1" "the Python MCP clients" --requirement "$python_requirements"
}

# install_python PYTHON FOLDER WHAT PIP-OPTION…: a virtual environment with these packages in it.
install_python() {
  local python=$1 home=$2 what=$3
  shift 3
  rm -rf "$home" && "$python" -m venv "$home" &&
    quietly "installing $what" "$home/bin/pip" install --quiet "$@" &&
    : >"$home/.ready"
}

# --- all of it ---------------------------------------------------------------------------------------------------------

# ensure_tools run|fast|full: everything that is missing for building and running, for ./scripts/test --fast, or for all tests;
# at the same time where one does not need the other.
ensure_tools() {
  local jobs=() job failed=
  ensure_rust
  ensure_node
  ensure_wasm & jobs+=($!)
  ensure_cargo_tool worker-build "$(locked_version worker)" worker-build & jobs+=($!)
  ensure_cargo_tool wasm-bindgen-cli "$(locked_version wasm-bindgen)" wasm-bindgen & jobs+=($!)
  ensure_npm "${1/fast/run}" & jobs+=($!)
  if [ "$1" != run ]; then ensure_node_22 & jobs+=($!); fi
  for job in "${jobs[@]}"; do wait "$job" || failed=1; done
  [ -z "$failed" ] || exit 1
}

# ensure_chromium: the browser the dashboard is tested in. VAULT_CHROMIUM names another one.
ensure_chromium() {
  VAULT_CHROMIUM=${VAULT_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
  if [ -z "$VAULT_CHROMIUM" ]; then
    if command -v apt-get >/dev/null; then apt_install chromium || :; fi
    VAULT_CHROMIUM=$(command -v chromium) ||
      die "Chromium is missing: install it (on Debian: apt-get install chromium), or name one with VAULT_CHROMIUM=PATH"
  fi
  export VAULT_CHROMIUM
}

# export_paths: what the end-to-end tests and the client scripts are told (after ensure_tools fast or full).
export_paths() {
  VAULT_WORKERD=$(node "$scripts/workerd.mjs" bin) || exit 1
  VAULT_NODE=$(node_22)
  VAULT_SCRIPTS=$scripts
  VAULT_BUILD=$target/worker/e2e
  export VAULT_WORKERD VAULT_NODE VAULT_SCRIPTS VAULT_BUILD
}
