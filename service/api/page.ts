// Everything served in addition to the contract's routes: pages, documents, probes, payment providers' webhooks.

/** A request whose path has {names}. */
export interface PageRequest extends Request {
  params?: Record<string, string>;
}

/** A refusal is thrown as a fault. `peer` is the direct sender: the client at `address`, or a proxy. */
export type PageHandler = (
  request: PageRequest,
  address: string,
  peer: string,
) => Promise<Response> | Response;

/** By method. */
export type SitePage = Record<string, PageHandler>;
