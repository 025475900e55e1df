// Topics of the events that move balances, with their signatures; a test hashes the signatures.

export const TOPICS = {
  transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  transferSingle: "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
  transferBatch: "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
  /** Tokens that are coin and collectible at once keep `Transfer` for the collectible and use this for the coin. */
  dualTransfer: "0xe59fdd36d0d223c0c7d996db7ad796880f45e1936cb0bb7ac102e7082e031487",
  deposit: "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c",
  withdrawal: "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65",
  userOperation: "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f",
  swapV2: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  /** What a pool of the second kind holds; it comes right before the swap that left it so. */
  syncV2: "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
  swapSolidly: "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b",
  swapV3: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  swapV3WithFees: "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83",
  swapV4: "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
  swapV4WithFees: "0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237",
  /** How factories say that they made a pool: Uniswap V2's, V3's, those of Solidly's kind, and the latter's of V3's kind. */
  pairCreated: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
  poolCreatedV3: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
  poolCreatedSolidly: "0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e",
  poolCreatedBySpacing: "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2",
  initializeV4: "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
} as const;

export const SIGNATURES: Record<keyof typeof TOPICS, string> = {
  transfer: "Transfer(address,address,uint256)",
  transferSingle: "TransferSingle(address,address,address,uint256,uint256)",
  transferBatch: "TransferBatch(address,address,address,uint256[],uint256[])",
  dualTransfer: "ERC20Transfer(address,address,uint256)",
  deposit: "Deposit(address,uint256)",
  withdrawal: "Withdrawal(address,uint256)",
  userOperation: "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)",
  swapV2: "Swap(address,uint256,uint256,uint256,uint256,address)",
  syncV2: "Sync(uint112,uint112)",
  swapSolidly: "Swap(address,address,uint256,uint256,uint256,uint256)",
  swapV3: "Swap(address,address,int256,int256,uint160,uint128,int24)",
  swapV3WithFees: "Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)",
  swapV4: "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)",
  swapV4WithFees: "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)",
  pairCreated: "PairCreated(address,address,address,uint256)",
  poolCreatedV3: "PoolCreated(address,address,uint24,int24,address)",
  poolCreatedSolidly: "PoolCreated(address,address,bool,address,uint256)",
  poolCreatedBySpacing: "PoolCreated(address,address,int24,address)",
  initializeV4: "Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)",
};
