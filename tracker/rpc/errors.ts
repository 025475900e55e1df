// How a call to a node can fail. Messages carry the provider's host name only: URLs of providers contain keys.

/** The node answered, and refused this call. Another provider may not; the same one will again. */
export class RpcRefused extends Error {
  constructor(
    readonly method: string,
    readonly code: number,
    reason: string,
    readonly host: string,
  ) {
    super(`${host} refused ${method}: ${reason} (${code})`);
  }
}

/** No usable answer came: unreachable, too slow, over its limits, or not JSON-RPC. Worth another provider or a retry. */
export class RpcUnavailable extends Error {
  constructor(
    readonly host: string,
    reason: string,
    /** How long the provider asked to be left alone; null when it did not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`${host} ${reason}`);
  }
}
