// Topics of the events that move balances.
import { eventTopic } from "./signatures.ts";

export const TOPICS = {
  transfer: eventTopic("Transfer(address,address,uint256)"),
  transferSingle: eventTopic("TransferSingle(address,address,address,uint256,uint256)"),
  transferBatch: eventTopic("TransferBatch(address,address,address,uint256[],uint256[])"),
  /** Tokens that are both ERC-20 and collectible keep `Transfer` for the collectible and use this for the coin. */
  dualTransfer: eventTopic("ERC20Transfer(address,address,uint256)"),
  deposit: eventTopic("Deposit(address,uint256)"),
  withdrawal: eventTopic("Withdrawal(address,uint256)"),
  /** In a bundle, operations come after it, each ending with its own event. */
  beforeExecution: eventTopic("BeforeExecution()"),
  userOperation: eventTopic("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"),
  swapV2: eventTopic("Swap(address,uint256,uint256,uint256,uint256,address)"),
  /** The reserves of a v2 pool; comes right before the swap that caused them. */
  syncV2: eventTopic("Sync(uint112,uint112)"),
  swapSolidly: eventTopic("Swap(address,address,uint256,uint256,uint256,uint256)"),
  swapV3: eventTopic("Swap(address,address,int256,int256,uint160,uint128,int24)"),
  swapV3WithFees: eventTopic("Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)"),
  swapV4: eventTopic("Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)"),
  swapV4WithFees: eventTopic("Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)"),
  /** Factories' events for new pools: Uniswap V2's, V3's, Solidly-style ones, and those of Solidly's V3-style factories. */
  pairCreated: eventTopic("PairCreated(address,address,address,uint256)"),
  poolCreatedV3: eventTopic("PoolCreated(address,address,uint24,int24,address)"),
  poolCreatedSolidly: eventTopic("PoolCreated(address,address,bool,address,uint256)"),
  poolCreatedBySpacing: eventTopic("PoolCreated(address,address,int24,address)"),
  initializeV4: eventTopic("Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)"),
} as const;
