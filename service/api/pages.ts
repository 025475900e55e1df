// Everything that is served and is not a route of the contract: documents, pages, webhooks of payment providers.

/** A request whose path had {names}. */
export interface PageRequest extends Request {
  params?: Record<string, string>;
}

/** By method. A refusal is thrown as a fault. */
export type Page = Record<string, (request: PageRequest, address: string) => Promise<Response> | Response>;

const HTML_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'";

/** How long a browser may keep a document that changes only with the program. */
const DOCUMENT_SECONDS = 300;

export function html(body: string, status = 200): Response {
  return new Response(body, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": HTML_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}

/** A page made once, whatever asks for it. */
export function fixedHtml(make: () => string): Page {
  let made: string | null = null;
  return {
    GET: () => {
      made ??= make();
      return html(made);
    },
  };
}

/** An answer outside the contract: never cached, open to every origin. */
export function json(body: unknown): Response {
  return Response.json(body, {
    headers: { "access-control-allow-origin": "*", "cache-control": "no-store" },
  });
}

export function fixedJson(make: () => unknown): Page {
  return fixedDocument("application/json; charset=utf-8", () => JSON.stringify(make(), null, 2));
}

export function fixedText(make: () => string): Page {
  return fixedDocument("text/plain; charset=utf-8", make);
}

function fixedDocument(contentType: string, make: () => string): Page {
  let made: string | null = null;
  return {
    GET: () => {
      made ??= make();
      return new Response(made, {
        headers: {
          "content-type": contentType,
          "access-control-allow-origin": "*",
          "cache-control": `public, max-age=${DOCUMENT_SECONDS}`,
        },
      });
    },
  };
}
