// The operator's pages, if ADMIN_KEY or ADMIN_HEADER enables them: one document without data, and the reads and changes that
// its script requests. Each goes through the same services as the command line; each change is logged.
import { z } from "zod";
import type { Chains } from "../../../contract/chains.ts";
import { fault } from "../../../contract/errors.ts";
import type { Log } from "../../../kit/log.ts";
import { queryOf } from "../../../kit/target.ts";
import { ADMIN_DATA, ADMIN_PATH, type AdminPlace } from "../../../web/admin/answers.ts";
import { renderAdmin } from "../../../web/admin/page.tsx";
import type { AssetUrls } from "../../../web/assets/assets.ts";
import { parseJson, readBodyText } from "../../api/body.ts";
import type { PageHandler, SitePage } from "../../api/page.ts";
import type { PagePace } from "../page-pace.ts";
import { compressedHtml } from "../pages.ts";
import { createChanges } from "./changes.ts";
import type { AdminGuard } from "./guard.ts";
import type { AdminParts } from "./parts.ts";
import { createReads } from "./reads.ts";
import { createTokenReads } from "./token-reads.ts";

export interface AdminPagesParts extends AdminParts {
  guard: AdminGuard;
  pace: PagePace;
  assets: AssetUrls;
  chains: Chains;
  isSimulated: () => boolean;
  log: Log;
}

const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const Find = z.strictObject({ find: z.string().max(254) });
const ID = /^[\w-]{1,100}$/;

export function adminPages(parts: AdminPagesParts): Record<string, SitePage> {
  const { guard, clock } = parts;
  const reads = createReads(parts);
  const tokens = createTokenReads(parts);
  const changes = createChanges(parts);

  const read =
    (
      answer: (query: URLSearchParams, operator: { by: string }, signal: AbortSignal) => Promise<unknown>,
    ): PageHandler =>
    async (request, address, peer) => {
      const operator = await guard(request, address, peer);
      return Response.json(await answer(queryOf(request.url), operator, request.signal), {
        headers: HEADERS,
      });
    };
  /** In the body, because people's email addresses don't belong in URLs. */
  const find: PageHandler = async (request, address, peer) => {
    await guard(request, address, peer);
    const asked = Find.safeParse(parseJson(await readBodyText(request)));
    if (!asked.success) throw fault("invalid_body", "Send an account's id or an e-mail address.");
    return Response.json(await reads.account(asked.data.find.trim()), { headers: HEADERS });
  };
  const data = (place: AdminPlace, page: SitePage): [string, SitePage] => [`${ADMIN_DATA}/${place}`, page];

  return {
    [ADMIN_PATH]: {
      GET: async (request, address) => {
        await parts.pace(address);
        const data = {
          page: ADMIN_PATH,
          params: {},
          query: {},
          mode: "key" as const,
          loaded: {},
          chains: parts.chains.list.map(({ id, name }) => ({ id, name })),
          renderedAt: clock.now(),
          isSimulated: parts.isSimulated(),
        };
        return compressedHtml(request, renderAdmin(data, parts.assets));
      },
    },
    ...Object.fromEntries([
      data("overview", { GET: read((_query, { by }) => reads.overview(by)) }),
      data("accounts", { GET: read((query) => reads.accounts(cursorOf(query))), POST: find }),
      data("keys", { GET: read((query) => reads.keys(cursorOf(query))), POST: changes.key }),
      data("webhooks", { GET: read((query) => reads.webhooks(cursorOf(query))), POST: changes.webhook }),
      data("tokens", {
        GET: read((query, _operator, signal) =>
          tokens(query.get("q") ?? "", query.get("cursor") ?? "", signal),
        ),
        POST: changes.token,
      }),
    ]),
  };
}

/** The id that a page continues after. */
function cursorOf(query: URLSearchParams): string {
  const cursor = query.get("cursor") ?? "";
  if (cursor !== "" && !ID.test(cursor))
    throw fault("invalid_parameter", "cursor is not from this list.", { param: "cursor" });
  return cursor;
}
