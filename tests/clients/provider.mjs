// What both TypeScript SDKs want to know of an app that signs in: it keeps everything in memory, and instead of opening a
// browser it remembers the address for `decide` of approve.mjs.

/** An OAuthClientProvider. `asked` is the address of the consent page, once the vault has sent the user there. */
export class Provider {
  asked = null;
  #kept = {};

  constructor(name) {
    this.redirectUrl = "http://127.0.0.1:9/callback"; // nobody listens there: the code is read from the address itself
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state() {
    return (this.#kept.state = crypto.randomUUID());
  }

  /** Fails unless the answer carries the state of our own request: that check is left to the app. */
  check(answer) {
    if (answer.get("state") !== this.#kept.state) throw new Error(`a foreign state came back: ${answer}`);
  }

  redirectToAuthorization(url) {
    this.asked = url.href;
  }

  /** Makes the access token one that the vault does not know. */
  lapse() {
    this.#kept.tokens = { ...this.#kept.tokens, access_token: "lapsed" };
  }

  clientInformation = () => this.#kept.client;
  saveClientInformation = (client) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens;
  saveTokens = (tokens) => void (this.#kept.tokens = tokens);
  codeVerifier = () => this.#kept.verifier;
  saveCodeVerifier = (verifier) => void (this.#kept.verifier = verifier);
  discoveryState = () => this.#kept.discovery;
  saveDiscoveryState = (discovery) => void (this.#kept.discovery = discovery);

  /** The SDK's word that what we kept of this kind no longer holds: "tokens", "client", "verifier", "discovery" or "all". */
  invalidateCredentials(kind) {
    if (kind === "all") this.#kept = {};
    else delete this.#kept[kind];
  }
}
