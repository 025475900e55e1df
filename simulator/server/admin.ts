// The operator's side door: sets, shows and clears the fault script, shows how often each path was requested, and triggers
// scenarios in the world. It is open only to this machine, and only with the token when one is set; to anyone else it does not
// exist.
import { timingSafeEqual } from "node:crypto";
import { SCENARIOS, type Scenario } from "../world/scenario-names.ts";
import { type Faults, readFaults } from "./faults.ts";

export const ADMIN_PATH = "/admin/faults";
export const SCENARIO_PATH = "/admin/scenario";
const BODY_BYTES_MAX = 64 * 1024;
/** Paths contain ids, so they are unbounded; past this many distinct ones, only the route is counted. */
const COUNTED_PATHS_MAX = 10_000;

interface RequestCounts {
  count(route: string, path: string): void;
  show(): { routes: Record<string, number>; paths: Record<string, number> };
}

export function createRequestCounts(): RequestCounts {
  const routes = new Map<string, number>();
  const paths = new Map<string, number>();
  return {
    count: (route, path) => {
      routes.set(route, (routes.get(route) ?? 0) + 1);
      if (paths.has(path) || paths.size < COUNTED_PATHS_MAX) paths.set(path, (paths.get(path) ?? 0) + 1);
    },
    show: () => ({ routes: Object.fromEntries(routes), paths: Object.fromEntries(paths) }),
  };
}

interface AdminOptions {
  faults: Faults;
  counts: RequestCounts;
  token: string | undefined;
}

export async function answerAdmin(
  request: Request,
  address: string | undefined,
  { faults, counts, token }: AdminOptions,
): Promise<Response> {
  if (!mayAdminister(request, address, token))
    return Response.json({ error: "unknown_path" }, { status: 404 });
  const shown = () => Response.json({ faults: faults.show(), requests: counts.show() });
  if (request.method === "GET") return shown();
  if (request.method === "DELETE") {
    faults.set([]);
    return shown();
  }
  if (request.method !== "POST")
    return Response.json({ error: "bad_method" }, { status: 405, headers: { allow: "GET, POST, DELETE" } });

  const read = readFaults(await readBody(request));
  if (typeof read === "string") return Response.json({ error: "bad_input", message: read }, { status: 400 });
  faults.set(read);
  return shown();
}

/** Triggers a scenario soon: `{"scenario":"rug"}`. */
export async function answerScenario(
  request: Request,
  address: string | undefined,
  { ask, token }: { ask: (scenario: Scenario) => Promise<void>; token: string | undefined },
): Promise<Response> {
  if (!mayAdminister(request, address, token))
    return Response.json({ error: "unknown_path" }, { status: 404 });
  if (request.method !== "POST")
    return Response.json({ error: "bad_method" }, { status: 405, headers: { allow: "POST" } });
  const body = (await readBody(request)) as { scenario?: unknown } | null | undefined;
  const scenario = SCENARIOS.find((name) => name === body?.scenario);
  if (!scenario) {
    const message = `scenario must be one of ${SCENARIOS.join(", ")}`;
    return Response.json({ error: "bad_input", message }, { status: 400 });
  }
  await ask(scenario);
  return Response.json({ scenario }, { status: 202 });
}

async function readBody(request: Request): Promise<unknown> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  // A browser page can't send this type cross-origin without a preflight.
  const isJson = request.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (!isJson || !(length <= BODY_BYTES_MAX)) return undefined;
  return await request.json().catch(() => undefined);
}

function mayAdminister(request: Request, address: string | undefined, token: string | undefined): boolean {
  if (!address || !isLoopback(address)) return false;
  if (token !== undefined) return sameText(request.headers.get("authorization") ?? "", `Bearer ${token}`);
  // A proxy on this machine makes every caller look local; without a token that is not safe.
  return !request.headers.has("forwarded") && !request.headers.has("x-forwarded-for");
}

function isLoopback(address: string): boolean {
  const bare = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  return bare === "::1" || bare.startsWith("127.");
}

function sameText(given: string, wanted: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(wanted);
  return left.length === right.length && timingSafeEqual(left, right);
}
