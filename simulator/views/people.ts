// Traders as lists and profiles show them. Their bios follow from their number; their results come from the books.
import type { PnlWindow, WireClan, WirePerson, WireUser } from "../../protocol/protocol.ts";
import { type CopyTerms, termsText } from "../world/copy-terms.ts";
import { chosen, mix, unit } from "../world/hash.ts";
import { NETWORKS } from "../world/networks.ts";
import type { WorldTrader } from "../world/population.ts";
import { style } from "../world/styles.ts";
import { BIOS, CLAN_FIRST, CLAN_ICONS, CLAN_SECOND, PLACES, SHARED_BIOS } from "../world/trader-words.ts";
import { avatarOf, nameOf } from "./names.ts";
import { closedCount, traderProfit } from "./pnl.ts";
import { holdingRow, holdingSlots } from "./positions.ts";
import { dollars, type View, volumeText } from "./view.ts";

const CLANS = 60;
const CLAN_CHANCE = 0.34;
const SHOWN_HOLDINGS = 10;
const VERIFIED_FOLLOWERS = 220;

export function isVerified(view: View, trader: WorldTrader): boolean {
  const { graph, key } = view.context.population;
  return graph.followers(trader.index).length >= VERIFIED_FOLLOWERS || unit(key, trader.index, 60) < 0.015;
}

export function personRow(
  view: View,
  trader: WorldTrader,
  pnl24h = traderProfit(view, trader.index, "24h").net,
): WirePerson {
  const { graph, key } = view.context.population;
  const traders = view.tables.traders.columns;
  const roll = mix(key, trader.index, 61);
  return {
    userId: view.userId(trader.index),
    handle: trader.handle,
    displayName: nameOf(view, trader),
    avatar: avatarOf(view, trader),
    verified: isVerified(view, trader),
    bio: trader.copies
      ? termsText(trader.copies, leaderOf(view, trader.copies))
      : trader.baits
        ? "bait"
        : bioOf(trader, roll),
    twitter:
      unit(roll, 1) < 0.42 ? (unit(roll, 2) < 0.7 ? trader.handle : `${trader.handle.slice(0, 12)}_x`) : null,
    clan: clanOf(view, roll),
    private: unit(roll, 3) < 0.03,
    followers: graph.followers(trader.index).length,
    following: graph.following(trader.index).length,
    trades: closedCount(view, trader.index) + traders.open.get(trader.index),
    swapCount: traders.swaps.get(trader.index),
    volumeUsd: volumeText(traders.volume.get(trader.index)),
    pnl24h: dollars(pnl24h),
    createdAt: trader.createdAt,
  };
}

export function userRow(view: View, trader: WorldTrader): WireUser {
  const traders = view.tables.traders.columns;
  const earned = (window: PnlWindow) => traderProfit(view, trader.index, window).net;
  const day = earned("24h");
  const closed = closedCount(view, trader.index);
  return {
    ...personRow(view, trader, day),
    wallets: walletsOf(view, trader),
    formerHandles: [...trader.formerHandles],
    pnl: {
      "24h": dollars(day),
      "7d": dollars(earned("7d")),
      "30d": dollars(earned("30d")),
      all: dollars(earned("all")),
    },
    averageHoldTimeSeconds:
      closed === 0 ? null : Math.round(traders.heldMs.get(trader.index) / closed / 1000),
    holdingsCount: traders.open.get(trader.index),
    holdings: holdingSlots(view, trader.index)
      .slice(0, SHOWN_HOLDINGS)
      .map((slot) => holdingRow(view, slot)),
  };
}

/** Wallets as the platform reports them: null while it is still resolving them. */
export function knownWallets(view: View, trader: WorldTrader): { solana: string | null; evm: string | null } {
  return trader.resolvedAt > view.now ? { solana: null, evm: null } : view.context.population.wallets(trader);
}

function walletsOf(view: View, trader: WorldTrader): WireUser["wallets"] {
  const resolved = trader.resolvedAt <= view.now;
  const { solana, evm } = knownWallets(view, trader);
  const roll = mix(view.context.population.key, trader.index, 62);
  const evidence = (wallet: string | null, place: number) =>
    wallet === null
      ? null
      : chosen(["swap-signature", "deposit-match", "profile-link", "signed-message"], roll, place);
  return {
    status: resolved ? "resolved" : "resolving",
    solana,
    evm,
    verified: resolved && unit(roll, 3) < 0.82,
    evidence: { solana: evidence(solana, 1), evm: evidence(evm, 2) },
  };
}

const leaderOf = (view: View, { leader }: CopyTerms): string => view.context.population.get(leader).handle;

function bioOf(trader: WorldTrader, roll: number): string | null {
  if (unit(roll, 4) < 0.22) return null;
  const own = BIOS[style(trader.style).name] ?? SHARED_BIOS;
  const first = unit(roll, 5) < 0.68 ? chosen(own, roll, 6) : chosen(SHARED_BIOS, roll, 6);
  const text = unit(roll, 7) < 0.25 ? `${first} | ${chosen(SHARED_BIOS, roll, 8)}` : first;
  return text
    .replaceAll("{chain}", NETWORKS[trader.home]?.slug ?? "solana")
    .replaceAll("{place}", chosen(PLACES, roll, 9))
    .replaceAll("{clanless} ", "")
    .replaceAll("{day}", String(2 + Math.floor(unit(roll, 10) * 300)));
}

function clanOf(view: View, roll: number): WireClan | null {
  if (unit(roll, 11) >= CLAN_CHANCE) return null;
  const clan = Math.floor(unit(roll, 12) ** 1.6 * CLANS);
  const key = view.context.population.key ^ 0xc1a9;
  const rank = unit(roll, 13);
  const first = CLAN_FIRST[clan % CLAN_FIRST.length] as string;
  const second = chosen(CLAN_SECOND, key, clan);
  return {
    id: view.ids.clan.encode(clan),
    name: `${first} ${second}`.replace(/(^|\s)[a-z]/g, (letter) => letter.toUpperCase()),
    icon: chosen(CLAN_ICONS, key, clan, 1),
    role: rank < 0.04 ? "leader" : rank < 0.16 ? "officer" : "member",
  };
}
