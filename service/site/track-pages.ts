// A visitor requests an untracked wallet: if the operator allows it, the tracker follows it from then on.
import { z } from "zod";
import { fault } from "../../contract/errors.ts";
import { readInput } from "../../contract/read.ts";
import { normaliseAddress } from "../../protocol/values.ts";
import { VISITOR_PREFIX } from "../../web/shared/api.ts";
import { addressSubject } from "../access/identity/address.ts";
import type { FormLimits } from "../access/limits/form-limits.ts";
import type { Visitors } from "../access/visitors.ts";
import { parseJson, readBodyText } from "../api/body.ts";
import type { SitePage } from "../api/page.ts";
import type { PagePace } from "./page-pace.ts";
import { json } from "./pages.ts";

/** Adds it to the roster unless it is already there or the roster is full; returns its handle there. */
export type TrackWallet = (
  wallet: string,
) => Promise<{ handle: string; outcome: "added" | "known" | "full" }>;

export interface TrackPagesParts {
  track: TrackWallet;
  visitors: Pick<Visitors, "require">;
  limits: Pick<FormLimits, "require">;
  pace: PagePace;
}

const WALLET_LENGTH_MAX = 64;
const TrackedWish = z.strictObject({ wallet: z.string().max(WALLET_LENGTH_MAX) });

export function trackPages({ track, visitors, limits, pace }: TrackPagesParts): Record<string, SitePage> {
  return {
    [`${VISITOR_PREFIX}/track`]: {
      POST: async (request, address) => {
        await visitors.require(request, address);
        await pace(address);
        const given = Object(parseJson(await readBodyText(request))) as Record<string, unknown>;
        const wallet = normaliseAddress(readInput(TrackedWish, given, "body").wallet);
        if (wallet === null)
          throw fault("invalid_body", "wallet is the address of a wallet.", { param: "wallet" });
        await limits.require("walletsPerAddress", addressSubject(address));
        const { handle, outcome } = await track(wallet);
        if (outcome === "full")
          throw fault("unavailable", "This tracker has reached its limit of visitors' wallets.");
        return json({ handle });
      },
    },
  };
}
