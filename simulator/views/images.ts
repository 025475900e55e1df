// The picture of a trader or a token, by the id in its path.
import type { ImageKind } from "../../protocol/protocol.ts";
import { avatarPicture, tokenPicture } from "../images/picture.ts";
import { network } from "../world/networks.ts";
import type { View } from "./view.ts";

/** `id` is a user's id, or a chain and an address with a slash between. Undefined when unknown. */
export function image(view: View, kind: ImageKind, id: string): { svg: string } | undefined {
  const { seed, tokens, markets } = view.context;
  if (kind === "avatar") return view.traderOf(id) && { svg: avatarPicture(seed, id) };
  const [chain = "", address = ""] = id.split("/");
  if (chain === "perps") {
    const market = markets.find(({ symbol }) => address === `${symbol}-PERP`);
    return market && { svg: tokenPicture(seed, address, market.symbol) };
  }
  const token = tokens.byAddress(address);
  if (!token || network(token.network).slug !== chain) return undefined;
  return { svg: tokenPicture(seed, tokens.address(token), token.symbol) };
}
