// An event of the app's feed, or a push, as an alert: the single source for both the REST feed and the socket, so the two
// can't differ.
import type { Chains } from "../chains.ts";
import type { ServedAlert } from "../shapes/types.ts";
import type { AppEventInput, PushEventInput, TokenOnWire } from "./events.ts";

export function alertOf(event: AppEventInput | PushEventInput, chains: Chains): ServedAlert {
  return event.feed === "push" ? pushAlert(event, chains) : feedAlert(event, chains);
}

/** The four fields that identify a token; all null if an event is not about one. */
export function tokenFields(token: TokenOnWire | null, chains: Chains) {
  return {
    token: token?.symbol ?? null,
    tokenAddress: token?.address ?? null,
    chainId: token?.networkId ?? null,
    chain: token ? chains.nameOf(token.networkId) : null,
  };
}

export const alertId = (event: { at: number; seq: number }) => `alrt_${event.at}_${event.seq}`;

function feedAlert(event: AppEventInput, chains: Chains): ServedAlert {
  return {
    id: alertId(event),
    seq: event.seq,
    eventId: event.eventId,
    type: event.kind,
    alertType: event.kind,
    source: "feed",
    trader: event.handle,
    displayName: event.displayName,
    userId: event.userId,
    tradeId: event.tradeId,
    swapId: event.swapId,
    transferId: event.transferId,
    ...tokenFields(event.token, chains),
    text: event.text,
    notificationType: null,
    ts: event.at,
    ...fillFields(event),
    ...transferFields(event),
    ...perpFields(event),
  };
}

function transferFields(event: AppEventInput): Partial<ServedAlert> {
  if (event.kind !== "transfer") return {};
  const { direction, amount, valueUsd, counterparty, txHash } = event;
  return { direction, amount, valueUsd, counterparty, txHash };
}

/** A perp has a market, but no token that could be looked up. */
function perpFields(event: AppEventInput): Partial<ServedAlert> {
  if (event.kind !== "perp") return {};
  const { market, side, action, leverage, sizeUsd, realizedPnlUsd } = event;
  return { tokenAddress: null, market, side, action, leverage, sizeUsd, realizedPnlUsd };
}

function fillFields(event: AppEventInput): Partial<ServedAlert> {
  if (event.kind !== "buy" && event.kind !== "sell") return {};
  const { fillUsd, amount, priceUsd, txHash, positionValueUsd, realizedPnlUsd, realizedPnlUsdDelta } = event;
  const fill = {
    fillUsd,
    tradeUsd: fillUsd,
    amount,
    priceUsd,
    txHash,
    positionValueUsd,
    execTs: event.execAt,
    fillMatch: event.fillMatch ?? "app",
    feesUsd: event.feeUsd ?? null,
  };
  if (event.kind === "buy") return { ...fill, usdValue: positionValueUsd };
  return { ...fill, realizedPnlUsd, realizedPnlUsdDelta, usdValue: realizedPnlUsd };
}

/** A push carries no ids, not even those that upstream put into it. */
function pushAlert(event: PushEventInput, chains: Chains): ServedAlert {
  return {
    id: alertId(event),
    seq: event.seq,
    eventId: null,
    type: "push",
    alertType: "push",
    source: "push",
    trader: event.handle,
    displayName: null,
    userId: null,
    tradeId: null,
    swapId: null,
    transferId: null,
    ...tokenFields(event.token, chains),
    text: event.text,
    notificationType: event.notificationType,
    ts: event.at,
  };
}

/** The same alert as a frame: the frame's `type` replaces the alert's, whose kind is in alertType. */
export function alertFrame(
  event: AppEventInput | PushEventInput,
  chains: Chains,
): Omit<ServedAlert, "type"> & { type: "alert" } {
  return { ...alertOf(event, chains), type: "alert" };
}
