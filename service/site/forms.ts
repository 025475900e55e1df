// Input from a browser's form: small, of the form content type, and from one of our own pages. There is no cookie that a
// foreign page could use, but it must not use up a visitor's limits either.
import { Fault, fault } from "../../contract/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { BillingViews } from "../../web/pricing/pages.ts";
import { readRequestBytes } from "../api/body.ts";
import { isFromOwnPage } from "./own-origin.ts";
import { html } from "./pages.ts";

/** The largest form contains an address, a key and a token. */
const FORM_BYTES_MAX = 8 * 1_024;
/** Stripe's notices are a few kilobytes; the server accepts no larger body from anyone. */
export const NOTICE_BYTES_MAX = 64 * 1_024;

export interface FormPages {
  /** Renders these pages. */
  views: BillingViews;
  read(request: Request): Promise<URLSearchParams>;
  /** Shows an error on the page it belongs to. */
  refused(error: unknown, show: (sentence: string) => string): Response;
  /** The same if there is no such page. */
  refusedAsMessage(error: unknown): Response;
}

export function createFormPages(parts: {
  publicUrl: () => string;
  log: Log;
  views: BillingViews;
}): FormPages {
  const { publicUrl, log, views } = parts;
  const refused: FormPages["refused"] = (error, show) => {
    if (!(error instanceof Fault)) throw error;
    if (error.cause !== undefined) log.warn("the card provider failed", { error: error.cause });
    const answer = html(show(error.message), error.status);
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) answer.headers.set("retry-after", String(retryAfterSeconds));
    return answer;
  };
  return {
    views,
    read: (request) => readForm(request, publicUrl()),
    refused,
    refusedAsMessage: (error) =>
      refused(error, (text) => views.message({ title: "That did not work", text })),
  };
}

export function seeOther(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

async function readForm(request: Request, publicUrl: string): Promise<URLSearchParams> {
  if (!isFromOwnPage(request, publicUrl))
    throw fault("origin_refused", "This form was sent from another site.");
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw fault("unsupported_media_type", "Send this as a form: application/x-www-form-urlencoded.");
  }
  return new URLSearchParams(new TextDecoder().decode(await readRequestBytes(request, FORM_BYTES_MAX)));
}
