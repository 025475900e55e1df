// Who may act as operator: holders of the operator's key, and people that a trusted proxy names in a header. The header
// counts only if the connection itself comes from such a proxy, and both only from a page of this origin.
import { createHash, timingSafeEqual } from "node:crypto";
import { fault } from "../../../contract/errors.ts";
import { PAGE_HEADER } from "../../../web/shared/api.ts";
import type { TrustedProxies } from "../../access/identity/address.ts";
import { isFromOwnPage, isOwnHost } from "../own-origin.ts";
import type { PagePace } from "../page-pace.ts";

export interface AdminSettings {
  key: string | null;
  /** In lower case. */
  header: string | null;
  /** The names that the header may contain; empty for any. */
  names: readonly string[];
}

export const isAdminOn = ({ key, header }: AdminSettings) => key !== null || header !== null;

/** For the log: `key`, or the name in the header. */
export interface Operator {
  by: string;
  address: string;
}

export type AdminGuard = (request: Request, address: string, peer: string) => Promise<Operator>;

/** Two headers of one name arrive joined by a comma, which no name contains. */
const NAME = /^[\w.@+-]{1,100}$/;
const digest = (text: string) => createHash("sha256").update(text).digest();

export function createAdminGuard(parts: {
  settings: AdminSettings;
  proxies: TrustedProxies;
  pace: PagePace;
  publicUrl: () => string;
}): AdminGuard {
  const { settings, proxies, publicUrl } = parts;
  const wanted = settings.key === null ? null : digest(settings.key);

  const nameOf = (request: Request, peer: string): string | null => {
    if (settings.header === null || !proxies.has(peer)) return null;
    const name = request.headers.get(settings.header) ?? "";
    const isMeant = settings.names.length === 0 || settings.names.includes(name);
    return NAME.test(name) && isMeant ? name : null;
  };
  const hasKey = (request: Request): boolean => {
    const given = /^Bearer (\S{1,200})$/.exec(request.headers.get("authorization") ?? "")?.[1];
    // Compares digests, so that timing reveals neither the length nor the first wrong character.
    return wanted !== null && given !== undefined && timingSafeEqual(digest(given), wanted);
  };

  return async (request, address, peer) => {
    await parts.pace(address);
    // A foreign page can't send a custom header without a preflight, and one that could is refused here.
    if (
      request.headers.get(PAGE_HEADER) === null ||
      !isFromOwnPage(request, publicUrl()) ||
      !isOwnHost(request, publicUrl())
    )
      throw fault("origin_refused", "This path answers only to the operator's own pages.");
    if (hasKey(request)) return { by: "key", address };
    const name = nameOf(request, peer);
    if (name !== null) return { by: name, address };
    throw fault("unauthorized", "This needs the operator's key.");
  };
}
