// Shapes that many resources share: a token, its chain, a holding, a clan, a person as shown in lists.
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const Token = shape("Token", "A token, known by its chain and address.", {
  symbol: leaf.text("The ticker; symbols repeat, addresses do not.", "MOONCAT"),
  address: leaf.address("The token's address on its chain."),
  name: leaf.text("The full name.", "Moon Cat"),
  networkId: leaf.chainId("The number of the token's chain."),
  image: leaf
    .text("The address of its picture; null when it has none.", "https://example.com/mooncat.png")
    .nullable(),
});

const Clan = shape("Clan", "A group of traders on the upstream platform.", {
  id: leaf.text("The clan's id.", "clan_owls"),
  name: leaf.text("The clan's name.", "Night Owls"),
  icon: leaf.text("Its emblem: an emoji, or the address of its picture.", "🦉").nullable(),
  role: leaf.text("The trader's role in it.", "member").nullable(),
});

export const Holding = shape("Holding", "One token that a trader holds.", {
  token: Token,
  amount: leaf.amount("How much is held"),
  amountRaw: leaf.amountRaw(),
  decimals: leaf.decimals(),
  priceUsd: leaf.price("The current price").nullable(),
  valueUsd: leaf.usd("What it is worth now", 427.5).nullable(),
  change24h: leaf.percent("How the price moved in 24 hours").nullable(),
  spam: leaf.flag(
    "Whether it was sent unsolicited: it is then listed only on request, and counts for nothing.",
  ),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
});

export const TopToken = shape("TopToken", "One of a trader's most valuable tokens.", {
  tokenAddress: leaf.address("The token's address."),
  symbol: leaf.text("The ticker.", "MOONCAT"),
  networkId: leaf.chainId("The same number as chainId."),
  chainId: leaf.chainId(),
  chain: leaf.chain(),
  humanAmount: leaf.amount("How much is held"),
  price: leaf.price("The current price").nullable(),
  value: leaf.usd("What it is worth now", 427.5).nullable(),
  pnl: leaf.usd("Profit or loss on it", 96.1).nullable(),
  imageUrl: leaf.text("The address of the token's picture.", "https://example.com/mooncat.png").nullable(),
});

export const Person = shape("Person", "A trader as lists show them: no wallets.", {
  handle: leaf.handle(),
  displayName: leaf.text("The name shown next to the handle.", "Night Owl"),
  userId: leaf.userId(),
  avatar: leaf.text("The address of the picture.", "https://example.com/mayatrades.png").nullable(),
  verified: leaf.flag("Whether the platform verified the account.", true),
  clan: Clan.nullable(),
  bio: leaf.text("The trader's own description.", "Small caps, big patience.").nullable(),
  followers: leaf.count("How many follow this trader; null where the platform can't know.", 1832).nullable(),
  following: leaf.count("How many this trader follows; null where the platform can't know.", 214).nullable(),
  trades: leaf.count("Positions ever opened.", 611),
  swapCount: leaf.count("Fills ever made.", 2044),
  volumeUsd: leaf.usd("Everything ever bought and sold", 912340.5),
  pnl24h: leaf.usd("Profit or loss of the last 24 hours", 318.4).nullable(),
  twitter: leaf.text("The trader's name there, without the @.", "mayatrades").nullable(),
  private: leaf.flag("Whether the trader hides their activity."),
  createdAt: leaf.time("When the account was created.", "2025-01-20T08:00:00.000Z"),
  accountAgeDays: leaf.count("Whole days since then.", 418),
});

export const Link = shape("Link", "A link inside a written text.", {
  text: leaf.text("The link's text.", "chart"),
  link: leaf.text("Where it points.", "https://example.com/chart"),
  provider: leaf.text("The site it points to.", "example").nullable(),
});

export const ThesisOfTrade = shape("ThesisOfTrade", "The written reason for one position.", {
  id: leaf.uuid("The thesis's id."),
  text: leaf.text("What the trader wrote.", "Volume is back and the deployer is out."),
  likes: leaf.count("How many liked it.", 42).nullable(),
});

/** The requested trader, as repeated in the envelopes of trader lists. */
export const asked = {
  key: leaf.text("The requested handle or userId.", "mayatrades"),
  kind: leaf.oneOf("Which of the two it was.", ["handle", "userId"]),
};
