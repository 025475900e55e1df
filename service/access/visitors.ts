// Visitors of the explorer: people who look at pages without a key. Their pages' own calls carry a cookie that is signed
// for their address and soon expires; it is accepted only from a page of this origin, is free, and is limited to its own rate
// own per address. It opens no other path of the service.

import { createHmac, timingSafeEqual } from "node:crypto";
import { fault } from "../../contract/errors.ts";
import { VISITOR } from "../../contract/plans.ts";
import type { Clock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { Access, Caller } from "./access.ts";
import { addressSubject } from "./identity/address.ts";

const VISITOR_COOKIE = "crowdtape_visitor";
/** A page left open longer requests another automatically. */
const COOKIE_LIFE_MS = HOUR_MS;
/** A cookie that expires sooner than this is replaced with the next page. */
const RENEWED_BELOW_MS = COOKIE_LIFE_MS / 2;

export interface Visitors {
  /** The Set-Cookie header for a page's answer; null while the visitor's own is good for long enough. */
  cookieFor(request: Request, address: string): Promise<string | null>;
  /** Throws the 401 or 403 that a call without a good cookie, or from elsewhere, gets. */
  require(request: Request, address: string): Promise<void>;
  /** Only a page of this origin may ask for a cookie by script. */
  requireOwnPage(request: Request): void;
}

export interface VisitorParts {
  clock: Clock;
  /** The same on every node; asked for once. */
  secret: () => Promise<string>;
  /** Marks calls from these pages: no form or foreign script can send this header without CORS approval. */
  header: string;
  path: string;
  publicUrl: () => string;
}

export function createVisitors({ clock, secret, header, path, publicUrl }: VisitorParts): Visitors {
  let kept: Promise<string> | null = null;
  const key = () => {
    kept ??= secret().catch((error) => {
      kept = null;
      throw error;
    });
    return kept;
  };
  const sign = async (subject: string, expiresAt: number) =>
    createHmac("sha256", await key())
      .update(`${subject} ${expiresAt}`)
      .digest("base64url");

  /** When the request's cookie expires; null when it has no valid one. */
  const lifeOf = async (request: Request, address: string): Promise<number | null> => {
    const [, digits = "", signature = ""] = COOKIE.exec(request.headers.get("cookie") ?? "") ?? [];
    const expiresAt = Number(digits);
    if (!(expiresAt > clock.now()) || expiresAt > clock.now() + COOKIE_LIFE_MS) return null;
    const wanted = Buffer.from(await sign(addressSubject(address), expiresAt));
    const given = Buffer.from(signature);
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? expiresAt : null;
  };

  const requireOwnPage = (request: Request) => {
    const site = request.headers.get("sec-fetch-site");
    const origin = request.headers.get("origin");
    const isForeign =
      (site !== null && site !== "same-origin") ||
      (origin !== null && !isOrigin(origin, request.url) && !isOrigin(origin, publicUrl()));
    if (request.headers.get(header) === null || isForeign)
      throw fault(
        "origin_refused",
        "This path answers only to the explorer's own pages. Use the API with a key.",
      );
  };

  return {
    requireOwnPage,
    async cookieFor(request, address) {
      const life = await lifeOf(request, address);
      if (life !== null && life - clock.now() > RENEWED_BELOW_MS) return null;
      const expiresAt = clock.now() + COOKIE_LIFE_MS;
      const value = `${expiresAt}.${await sign(addressSubject(address), expiresAt)}`;
      const rest = `Path=${path}; Max-Age=${COOKIE_LIFE_MS / 1_000}; HttpOnly; SameSite=Strict`;
      return `${VISITOR_COOKIE}=${value}; ${rest}${publicUrl().startsWith("https:") ? "; Secure" : ""}`;
    },
    async require(request, address) {
      requireOwnPage(request);
      if ((await lifeOf(request, address)) === null)
        throw fault("unauthorized", "This page has been open too long. Reload it.");
    },
  };
}

/** Compared by host: behind a proxy the scheme of our own URL may be another. An origin of `null` has no host. */
function isOrigin(origin: string, url: string): boolean {
  const host = URL.parse(origin)?.host;
  return Boolean(host) && host === URL.parse(url)?.host;
}

const COOKIE = new RegExp(`(?:^|;\\s*)${VISITOR_COOKIE}=(\\d{1,15})\\.([\\w-]{43})(?:;|$)`);

/** The same gate for visitors: no charge, no key, and one rate for all pages of an address. */
export function visitorAccess(access: Access): Access {
  return {
    ...access,
    identify: (_authorization, address): Caller => {
      const from = typeof address === "string" ? address : address();
      return {
        kind: "keyless",
        address: from,
        subject: `visitor:${addressSubject(from)}`,
        requestsPerMinute: VISITOR.requestsPerMinute,
      };
    },
    admit: (caller, route, unitsMax) => access.admit(caller, { ...route, access: "keyless" }, unitsMax),
  };
}
