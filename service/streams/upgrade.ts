// Who may open a socket, and as what. Everything that can be refused is refused here, before the upgrade, with the
// same errors as any other call; the order is such that a refusal uses up neither a ticket nor a place.

import type { Chains } from "../../contract/chains.ts";
import { fault } from "../../contract/errors.ts";
import type { StreamName } from "../../contract/frames.ts";
import { STREAMS } from "../../contract/frames.ts";
import { PLANS } from "../../contract/plans.ts";
import { readInput } from "../../contract/read.ts";
import type { Clock } from "../../kit/clock.ts";
import { queryOf } from "../../kit/target.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { Access, Caller } from "../access/access.ts";
import { describeFilter, filterFromQuery } from "../feed/filter-input.ts";
import { type NameDirectory, resolveFilter, unknownNote } from "../feed/resolve-filter.ts";
import type { SocketTerms } from "./session.ts";

export interface DoorParts {
  access: Pick<
    Access,
    "identify" | "identifyKey" | "identifyTicket" | "redeemTicket" | "pace" | "openSocket" | "delayMsOf"
  >;
  clock: Clock;
  chains: Chains;
  directory: NameDirectory;
  /** Browser origins that may connect; "*" is all. */
  allowedOrigins: readonly string[];
  upgradeUrl: string;
}

/** The socket's terms, with a place taken for it, or a thrown fault. */
export async function admit(
  request: Request,
  stream: StreamName,
  address: string,
  { access, clock, chains, directory, allowedOrigins, upgradeUrl }: DoorParts,
): Promise<SocketTerms> {
  refuseOtherOrigins(request, allowedOrigins);
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw fault("invalid_parameter", "This path is a WebSocket: connect to it with a WebSocket client.");
  }
  if (!request.headers.get("sec-websocket-key") || request.headers.get("sec-websocket-version") !== "13") {
    throw fault("invalid_parameter", "The WebSocket handshake is not complete.");
  }
  const query = queryOf(request.url);
  const secrets = { key: query.get("key"), ticket: query.get("ticket") };
  // A key of a wrong form is a wrong key, not a wrong parameter.
  query.delete("key");
  query.delete("ticket");
  const asked = readInput(STREAMS[stream].query, query, "query");
  const written = filterFromQuery(stream, asked, chains);

  const caller = await identify(request, stream, address, secrets, access);
  await access.pace(caller);
  if (readPaper(asked) !== null && caller.kind === "keyless")
    throw fault("unauthorized", "Paper follows are an account's own: paper needs a key.");
  if (stream === "trades" && (caller.kind === "keyless" || !PLANS[caller.plan].onChain)) {
    throw fault("plan_required", "The on-chain stream needs the Growth or the Scale plan.", {
      plan: caller.kind === "key" ? caller.plan : "keyless",
      upgradeUrl,
    });
  }
  const { filter, unknown } = await resolveFilter(written, directory);
  const release = await access.openSocket(caller);
  // Last of all: a refused caller keeps the ticket.
  if (secrets.ticket !== null)
    await access.redeemTicket(secrets.ticket).catch((error) => {
      release();
      throw error;
    });
  const delayMs = access.delayMsOf(caller, clock.now());
  return {
    stream,
    keyId: caller.kind === "key" ? caller.keyId : null,
    accountId: caller.kind === "key" ? caller.accountId : null,
    plan: caller.kind === "key" ? caller.plan : "keyless",
    delayMs,
    realtimeEnd: delayMs === 0 ? realtimeEndOf(caller) : null,
    filter,
    described: describeFilter(stream, written, chains),
    note: unknownNote(unknown),
    resume: asked.resume === undefined ? null : readPosition(asked.resume),
    paper: readPaper(asked),
    notices: asked.notices ?? false,
    release,
  };
}

async function identify(
  request: Request,
  stream: StreamName,
  address: string,
  secrets: { key: string | null; ticket: string | null },
  access: DoorParts["access"],
): Promise<Caller> {
  if (secrets.ticket !== null) return access.identifyTicket(secrets.ticket);
  if (secrets.key !== null) return access.identifyKey(secrets.key);
  return access.identify(request.headers.get("authorization"), address, STREAMS[stream].access);
}

/** Only browsers send an origin, and they can't be made to send a false one. */
function refuseOtherOrigins(request: Request, allowed: readonly string[]): void {
  const origin = request.headers.get("origin");
  if (origin === null || allowed.includes("*") || allowed.includes(origin)) return;
  throw fault("origin_refused", "Pages of this origin may not open streams here.");
}

function realtimeEndOf(caller: Caller): SocketTerms["realtimeEnd"] {
  if (caller.kind === "keyless") return null;
  const { realtimeDays, delaySeconds } = PLANS[caller.plan];
  if (realtimeDays === null) return null;
  return { at: caller.realtimeSince + realtimeDays * DAY_MS, delayMs: delaySeconds * 1000 };
}

function readPaper(asked: object): SocketTerms["paper"] {
  const paper = "paper" in asked ? asked.paper : undefined;
  return paper === undefined ? null : paper === "latest" ? paper : Number(paper);
}

function readPosition(text: string): { epoch: string; seq: number } {
  const dot = text.lastIndexOf(".");
  return { epoch: text.slice(0, dot), seq: Number(text.slice(dot + 1)) };
}
