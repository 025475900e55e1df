// A token is known by its network and address; symbols repeat.
export type {
  CandlesPage,
  DevHolding,
  FlowWindow,
  Holding,
  Quote,
  Token,
  TokenInfo,
  TokenStats,
} from "../../protocol/shapes/token.ts";
export { normaliseAddress } from "../../protocol/values.ts";
