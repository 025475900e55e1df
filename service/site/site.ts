// Everything served that is not a route of the contract, by path: pages, documents, pictures, MCP. The markup comes from
// web, permissions from access, and data from the same runners that answer the API.
import type { Chains } from "../../contract/chains.ts";
import type { AnyRoute } from "../../contract/route.ts";
import { ALL_ROUTES, ROUTES, type RouteId } from "../../contract/routes.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Assets } from "../../web/assets/assets.ts";
import { PAGE_HEADER, VISITOR_PREFIX } from "../../web/shared/api.ts";
import type { PageData, VisitorMode } from "../../web/shared/data.ts";
import type { Access } from "../access/access.ts";
import { trustedProxies } from "../access/identity/address.ts";
import { createFormLimits } from "../access/limits/form-limits.ts";
import { createVisitors, visitorAccess } from "../access/visitors.ts";
import type { RunRoute } from "../api/answer.ts";
import type { SitePage } from "../api/page.ts";
import type { StablecoinPayments } from "../billing/stablecoin/payments.ts";
import type { HistoryReader } from "../history/reader.ts";
import { sharedSecret } from "../store/money/shared-secret.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import { adminPages } from "./admin/admin.ts";
import { type AdminSettings, createAdminGuard, isAdminOn } from "./admin/guard.ts";
import type { AdminParts } from "./admin/parts.ts";
import { assetPages } from "./asset-pages.ts";
import { documentPages } from "./documents.ts";
import { createExplorer, type Explorer, isForVisitors } from "./explorer.ts";
import { historyPages } from "./history-pages.ts";
import { createDrawsPictures, imagePages } from "./images.ts";
import { knownExamples } from "./known-examples.ts";
import { mcpPages } from "./mcp.ts";
import { createPagePace } from "./page-pace.ts";
import { paymentPages } from "./payment-pages.ts";
import type { PushDoor } from "./push-pages.ts";
import type { TrackWallet } from "./track-pages.ts";
import { udfPages } from "./udf/udf.ts";

export interface SiteParts extends Pick<Kit, "clock" | "log"> {
  explorer: VisitorMode | "off";
  /** Whether the platform is the simulator of this process. */
  isSimulated: () => boolean;
  upstreamDeadlineMs: number;
  upstream: Upstream;
  store: Store;
  /** Closed days as files; null if disabled. */
  history: HistoryReader | null;
  access: Access;
  /** Null if visitors may not have wallets tracked. */
  track: TrackWallet | null;
  /** The operator's chat bots; empty without any. */
  bots: NonNullable<PageData["bots"]>;
  /** Web Push; null if it is not set up. */
  push: PushDoor | null;
  payments: StablecoinPayments;
  /** Who may open the operator's pages, and their dependencies. */
  admin: AdminSettings &
    Omit<AdminParts, "access" | "store" | "clock" | "upstream" | "upstreamDeadlineMs"> & {
      proxies: readonly string[];
    };
  chains: Chains;
  assets: Assets;
  publicUrl: () => string;
  /** The function that answers a route on behalf of the owner of the credentials. */
  runOf(id: RouteId): RunRoute;
  /** The same for another kind of caller. */
  runnerFor(route: AnyRoute, access: Access): RunRoute;
}

export interface Site {
  pages: Record<string, SitePage>;
  /** What a browser gets for a missing page; null gives everyone the same answer. */
  notFound: Explorer["notFound"] | null;
}

export function createSite(parts: SiteParts): Site {
  const { access, store, payments, assets, publicUrl, upstream, log, chains } = parts;
  const asVisitor = visitorAccess(access);
  const explorer = parts.explorer === "off" ? null : openExplorer(parts, parts.explorer);
  return {
    pages: {
      ...assetPages(assets),
      ...documentPages({
        explorer: parts.explorer === "off" ? null : parts.explorer,
        isSimulated: parts.isSimulated,
        publicUrl,
        chains,
        assets,
        store,
      }),
      ...imagePages({
        upstream,
        deadlineMs: parts.upstreamDeadlineMs,
        chains,
        pace: async (address) => access.pace(await asVisitor.identify(null, address, "keyless"), "keyless"),
      }),
      ...mcpPages({ access, runOf: parts.runOf, publicUrl, log }),
      ...udfPages({
        runOf: parts.runOf,
        visitorRunOf: parts.explorer === "open" ? (id) => parts.runnerFor(ROUTES[id], asVisitor) : null,
        chains,
        publicUrl,
      }),
      ...historyPages(parts.history, createPagePace(access)),
      ...paymentPages({ access, payments, assets, publicUrl }),
      ...explorer?.pages,
      ...(isAdminOn(parts.admin) ? openAdmin(parts) : {}),
    },
    notFound: explorer?.notFound ?? null,
  };
}

function openAdmin(parts: SiteParts): Record<string, SitePage> {
  const pace = createPagePace(parts.access);
  const { admin, publicUrl } = parts;
  return adminPages({
    ...parts,
    ...admin,
    pace,
    guard: createAdminGuard({ settings: admin, proxies: trustedProxies(admin.proxies), pace, publicUrl }),
  });
}

function openExplorer(parts: SiteParts, mode: VisitorMode): Explorer {
  const { access, store, clock, publicUrl } = parts;
  const visitors = createVisitors({
    clock,
    secret: () =>
      sharedSecret(store.database, "visitor-cookie", { value: freshUuid() + freshUuid(), at: clock.now() }),
    header: PAGE_HEADER,
    path: VISITOR_PREFIX,
    publicUrl,
  });
  const asVisitor = visitorAccess(access);
  return createExplorer({
    ...parts,
    mode,
    visitors: mode === "open" ? visitors : null,
    pace: createPagePace(access),
    limits: createFormLimits({ database: store.database, clock }),
    known: () => knownExamples(store),
    drawsPictures: createDrawsPictures(parts),
    routes: ALL_ROUTES.filter(isForVisitors).map((route) => ({
      route,
      run: parts.runnerFor(route, asVisitor),
    })),
  });
}
