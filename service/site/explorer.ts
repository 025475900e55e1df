// The explorer's pages and their own calls. A page is rendered by the server with answers of the public routes, then
// continues in the browser; without a key its calls go through the visitors' paths, which exist only here.
import type { Chains } from "../../contract/chains.ts";
import { type AnyRoute, canonicalParams } from "../../contract/route.ts";
import type { Clock } from "../../kit/clock.ts";
import { queryOf, targetOf } from "../../kit/target.ts";
import { servingTurn } from "../../kit/turn.ts";
import type { AssetUrls } from "../../web/assets/assets.ts";
import { playgroundCalls } from "../../web/console/calls.ts";
import { renderConsole } from "../../web/console/page.tsx";
import {
  EXPLORER_PAGES,
  type ExplorerPage,
  FIRST_PAGES,
  NOT_FOUND,
  renderExplorer,
  suggestedFor,
} from "../../web/explorer/pages.tsx";
import { VISITOR_PREFIX } from "../../web/shared/api.ts";
import type { Loaded, PageData, VisitorMode } from "../../web/shared/data.ts";
import type { Visitors } from "../access/visitors.ts";
import type { RunRoute } from "../api/answer.ts";
import { createFinder } from "../api/finder.ts";
import type { PageHandler, PageRequest, SitePage } from "../api/page.ts";
import { createCards } from "./cards.ts";
import { type CarriedListParts, carriedListPages } from "./carried-lists.ts";
import { createEmbeds } from "./embeds.ts";
import { seeOther } from "./forms.ts";
import type { PagePace } from "./page-pace.ts";
import { compressedHtml, json } from "./pages.ts";
import { type PushDoor, pushPages } from "./push-pages.ts";
import { type TrackPagesParts, type TrackWallet, trackPages } from "./track-pages.ts";

/** Limits of the query parameters that pages read. */
const QUERY_MAX = 12;
const QUERY_VALUE_MAX = 200;

export interface ExplorerParts {
  mode: VisitorMode;
  /** Null if visitors need a key. */
  visitors: Visitors | null;
  /** Reads that a visitor may make, run as a visitor. */
  routes: readonly { route: AnyRoute; run: RunRoute }[];
  assets: AssetUrls;
  chains: Chains;
  publicUrl: () => string;
  /** Existing names, for the playground's examples. */
  known: () => Promise<Readonly<Record<string, string>>>;
  isSimulated: () => boolean;
  /** Whether the platform has pictures of its traders and tokens. */
  drawsPictures: () => Promise<boolean>;
  /** Web Push; null if it is not set up. */
  push: PushDoor | null;
  /** The operator's chat bots; empty without any. */
  bots: NonNullable<PageData["bots"]>;
  store: CarriedListParts["store"];
  /** Null if visitors may not have wallets tracked. */
  track: TrackWallet | null;
  limits: TrackPagesParts["limits"];
  clock: Clock;
  pace: PagePace;
}

export interface Explorer {
  pages: Record<string, SitePage>;
  /** What a browser gets in place of a page that does not exist. */
  notFound: PageHandler;
}

/** Which routes visitors may call: reads of the platform's data, never an account's. */
export const isForVisitors = ({ method, price }: AnyRoute) => method === "GET" && price.credits > 0;

export function createExplorer(parts: ExplorerParts): Explorer {
  const { visitors } = parts;
  const find = createFinder(parts.routes);

  const load = async (path: string, address: string): Promise<Loaded> => {
    const at = parts.clock.now();
    const found = find(path.split("?", 1)[0] ?? "");
    if (found === null) return { status: 404, body: {}, at };
    const response = await found.run(new Request(`http://page${path}`), () => found.params, address);
    return { status: response.status, body: await response.json(), at };
  };

  const show = async (page: ExplorerPage, request: PageRequest, address: string) => {
    await parts.pace(address);
    const params = request.params ?? {};
    const isKnown = Object.entries(page.known ?? {}).every(([name, values]) =>
      values.includes(params[name] ?? ""),
    );
    if (!isKnown) return missing(request);
    const query = queryFor(request);
    const calls = visitors === null ? [] : page.calls({ params, query });
    const answers = await Promise.all(
      calls.map(async (path) => {
        // Each may take a whole turn if the platform is in this process.
        await servingTurn();
        return load(path, address);
      }),
    );
    const data = dataOf(request, params, query);
    data.pictures = await parts.drawsPictures();
    data.loaded = Object.fromEntries(calls.map((path, index) => [path, answers[index] as Loaded]));
    const suggested = suggestedFor(page, data, answers[0]);
    if (suggested !== null) data.loaded[suggested] = await load(suggested, address);
    const cookie = await visitors?.cookieFor(request, address);
    const isMissing = suggested !== null || answers[0]?.status === 404;
    await firstRender();
    await servingTurn();
    return compressedHtml(
      request,
      renderExplorer(page, data, isMissing ? null : urlOf(request), parts.assets),
      {
        status: isMissing ? 404 : 200,
        headers: cookie ? { "set-cookie": cookie } : {},
      },
    );
  };

  const dataOf = (
    request: Request,
    params: Record<string, string>,
    query: Record<string, string>,
  ): PageData => ({
    page: pathOf(request),
    params,
    query,
    mode: parts.mode,
    loaded: {},
    chains: parts.chains.list.map(({ id, name }) => ({ id, name })),
    renderedAt: parts.clock.now(),
    isSimulated: parts.isSimulated(),
    ...(visitors ? { bots: parts.bots, tracksWallets: parts.track !== null } : {}),
    ...(parts.push && visitors ? { pushKey: parts.push.publicKey } : {}),
  });

  /** Rendering what all pages share is slow the first time, and gets its own turn. */
  let warmed: Promise<void> | null = null;
  const firstRender = () => {
    warmed ??= servingTurn().then(() => {
      const data: PageData = {
        page: "/",
        params: {},
        query: {},
        mode: parts.mode,
        loaded: {},
        chains: [],
        renderedAt: 0,
        isSimulated: parts.isSimulated(),
      };
      renderExplorer(NOT_FOUND, data, null, parts.assets);
    });
    return warmed;
  };

  const urlOf = (request: Request) => `${parts.publicUrl()}${pathOf(request)}`;

  const missing = (request: Request) => {
    const data = dataOf(request, { path: pathOf(request).slice(0, QUERY_VALUE_MAX) }, {});
    return compressedHtml(request, renderExplorer(NOT_FOUND, data, null, parts.assets), { status: 404 });
  };

  const shown = EXPLORER_PAGES.map((page): [string, SitePage] => [
    page.path,
    { GET: (request, address) => show(page, request, address) },
  ]);
  return {
    pages: {
      ...Object.fromEntries(shown),
      ...Object.fromEntries(
        Object.entries(FIRST_PAGES).map(([path, to]) => [path, { GET: () => seeOther(to) }]),
      ),
      "/console": {
        GET: async (request, address) => {
          await parts.pace(address);
          const data = dataOf(request, {}, {});
          data.extra = { calls: playgroundCalls(await parts.known()) };
          return compressedHtml(request, renderConsole(data, parts.assets));
        },
      },
      ...(visitors
        ? {
            ...visitorPages(visitors, parts.routes),
            ...(Object.keys(parts.bots).length > 0 ? carriedListPages({ ...parts, visitors }) : {}),
            ...(parts.track ? trackPages({ ...parts, track: parts.track, visitors }) : {}),
            ...(parts.push ? pushPages(parts.push, visitors, parts.pace) : {}),
            ...createCards({ ...parts, load }),
            ...createEmbeds({ ...parts, load, dataOf }),
          }
        : {}),
    },
    async notFound(request, address) {
      await parts.pace(address);
      return missing(request);
    },
  };
}

/** The contract's reads under the visitors' paths. */
function visitorPages(visitors: Visitors, routes: ExplorerParts["routes"]): Record<string, SitePage> {
  const doors = routes.flatMap(({ route, run }) =>
    [route.path, ...route.aliases].map((path): [string, SitePage] => [
      `${VISITOR_PREFIX}${path}`,
      {
        GET: async (request, address) => {
          await visitors.require(request, address);
          return run(request, () => canonicalParams(route, path, request.params ?? {}), address);
        },
      },
    ]),
  );
  return {
    ...Object.fromEntries(doors),
    [`${VISITOR_PREFIX}/visit`]: {
      POST: async (request, address) => {
        visitors.requireOwnPage(request);
        const cookie = await visitors.cookieFor(request, address);
        const answer = json({ ok: true });
        if (cookie) answer.headers.set("set-cookie", cookie);
        return answer;
      },
    },
  };
}

function pathOf(request: Request): string {
  return targetOf(request.url).split(/[?#]/, 1)[0] ?? "/";
}

function queryFor(request: Request): Record<string, string> {
  return Object.fromEntries(
    [...queryOf(request.url)]
      .slice(0, QUERY_MAX)
      .map(([name, value]) => [name, value.slice(0, QUERY_VALUE_MAX)]),
  );
}
