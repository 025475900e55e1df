// A thesis: the written reason for a position, with the figures of that position.
import { z } from "zod";
import { Link, Token } from "./common.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const Thesis = shape("Thesis", "The written reason for a position.", {
  id: leaf.uuid("The thesis's id."),
  tradeId: leaf.tradeId().nullable(),
  text: leaf.text("What the trader wrote.", "Volume is back and the deployer is out."),
  handle: leaf.handle(),
  name: leaf.text("The name shown next to the handle.", "Night Owl"),
  userId: leaf.userId(),
  avatar: leaf.text("The address of the trader's picture.", "https://example.com/mayatrades.png").nullable(),
  equity: leaf.usd("What the position is worth", 484.7).nullable(),
  tradeUsd: leaf.usd("What was put in", 427.5).nullable(),
  realizedPnlUsd: leaf.usd("Profit or loss taken", 0).nullable(),
  unrealizedPnlUsd: leaf.usd("Unrealized profit or loss", 57.2).nullable(),
  isDev: leaf.flag("Whether the trader deployed the token or is an insider of it."),
  ts: leaf.time("When it was written."),
  likes: leaf.count("How many liked it; absent where upstream does not report it.", 42).optional(),
  replies: leaf.count("How many answered it.", 8).nullable(),
  links: z.array(Link),
  token: Token,
  tokenImage: leaf.text("The address of the token's picture.", "https://example.com/mooncat.png").nullable(),
  networkId: leaf.chainId("The same number as chainId."),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
});

export const ThesesAnswer = shape("ThesesAnswer", "Theses, newest first unless sorted otherwise.", {
  count: leaf.count("How many theses follow.", 50),
  theses: z.array(Thesis),
  available: leaf.supported(),
  nextCursor: leaf.nextCursor(),
  complete: leaf.complete("Whether no thesis is left after these."),
  note: leaf.note(),
});

export const TokenThesesAnswer = shape("TokenThesesAnswer", "Theses about one token.", {
  address: leaf.address("The requested address."),
  available: leaf.available(),
  count: leaf.count("How many theses follow.", 50),
  theses: z.array(Thesis),
  pages: leaf.count("Pages that were read; the charge is based on this.", 1),
  partial: leaf.flag("Whether some of the requested pages did not answer."),
  complete: leaf.complete("Whether no thesis is left after these."),
  source: leaf.oneOf("Whether upstream was asked, or a captured copy served.", ["live-upstream", "captured"]),
  note: leaf.note(),
});
