// A token is identified by its network and address; symbols are not unique.
import type { Token } from "../../protocol/shapes/token.ts";

/** Enough to find a token. */
export type TokenRef = Pick<Token, "networkId" | "address">;

export const nameOfToken = ({ networkId, address }: TokenRef): string => `${networkId}:${address}`;
