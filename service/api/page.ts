// What the server serves in addition to the contract's routes: pages, documents, probes, payment providers' webhooks.

/** A request whose path had {names}. */
export interface PageRequest extends Request {
  params?: Record<string, string>;
}

/** A refusal is thrown as a fault. */
export type PageHandler = (request: PageRequest, address: string) => Promise<Response> | Response;

/** By method. */
export type SitePage = Record<string, PageHandler>;
