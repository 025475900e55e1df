// Events that say what a transaction was for, other than trading. They name a kind (deposit, stake, bridge, …) for flows
// that are already known not to be a swap, and never turn anything into one. Each topic has its signature, and
// a test holds the two together.

export type Purpose =
  | "liquidity"
  | "lending"
  | "borrowing"
  | "repaying"
  | "staking"
  | "unstaking"
  | "bridge"
  | "order";

/** Signature → topic, by purpose. */
export const PURPOSE_EVENTS: Record<Purpose, Record<string, string>> = {
  liquidity: {
    "Mint(address,uint256,uint256)": "0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f",
    "Mint(address,address,int24,int24,uint128,uint256,uint256)":
      "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
    "IncreaseLiquidity(uint256,uint128,uint256,uint256)":
      "0x3067048beee31b25b2f1681f88dac838c8bba36af25bfb2b7cf7473a5847e35f",
    "DecreaseLiquidity(uint256,uint128,uint256,uint256)":
      "0x26f6a048ee9138f2c0ce266f322cb99228e8d619ae2bff30c67f8dcf9d2377b4",
    "Collect(uint256,address,uint256,uint256)":
      "0x40d0efd1a53d60ecbf40971b9daf7dc90178c3aadc7aab1765632738fa8b8f01",
    "Collect(address,address,int24,int24,uint128,uint128)":
      "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0",
    "Burn(address,uint256,uint256,address)":
      "0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496",
    "Burn(address,int24,int24,uint128,uint256,uint256)":
      "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
    "ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)":
      "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec",
    "PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])":
      "0xe5ce249087ce04f05a957192435400fd97868dba0e6a4b4c049abf8af80dae78",
    "LiquidityAdded(address,address,uint8,uint256,uint256[],uint256[])":
      "0xa26a52d8d53702bba7f137907b8e1f99ff87f6d450144270ca25e72481cca871",
    "LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])":
      "0xfbe5b0d79fb94f1e81c0a92bf86ae9d3a19e9d1bf6202c0d3e75120f65d5d8a5",
    "AddLiquidity(address,uint256[2],uint256[2],uint256,uint256)":
      "0x26f55a85081d24974e85c6c00045d0f0453991e95873f52bff0d21af4079a768",
    "AddLiquidity(address,uint256[3],uint256[3],uint256,uint256)":
      "0x423f6495a08fc652425cf4ed0d1f9e37e571d9b9529b1c1c23cce780b2e7df0d",
    "AddLiquidity(address,uint256[4],uint256[4],uint256,uint256)":
      "0x3f1915775e0c9a38a57a7bb7f1f9005f486fb904e1f84aa215364d567319a58d",
    "AddLiquidity(address,uint256[],uint256[],uint256,uint256)":
      "0x189c623b666b1b45b83d7178f39b8c087cb09774317ca2f53c2d3c3726f222a2",
    "AddLiquidity(address,uint256[2],uint256,uint256)":
      "0x540ab385f9b5d450a27404172caade516b3ba3f4be88239ac56a2ad1de2a1f5a",
    "AddLiquidity(address,uint256[3],uint256,uint256)":
      "0x96b486485420b963edd3fdec0b0195730035600feb7de6f544383d7950fa97ee",
    "AddLiquidity(address,uint256[2],uint256,uint256,uint256)":
      "0x7196cbf63df1f2ec20638e683ebe51d18260be510592ee1e2efe3f3cfd4c33e9",
    "AddLiquidity(address,uint256[3],uint256,uint256,uint256)":
      "0xe1b60455bd9e33720b547f60e4e0cfbf1252d0f2ee0147d53029945f39fe3c1a",
    "RemoveLiquidity(address,uint256[2],uint256[2],uint256)":
      "0x7c363854ccf79623411f8995b362bce5eddff18c927edc6f5dbbb5e05819a82c",
    "RemoveLiquidity(address,uint256[3],uint256[3],uint256)":
      "0xa49d4cf02656aebf8c771f5a8585638a2a15ee6c97cf7205d4208ed7c1df252d",
    "RemoveLiquidity(address,uint256[],uint256[],uint256)":
      "0x347ad828e58cbe534d8f6b67985d791360756b18f0d95fd9f197a66cc46480ea",
    "RemoveLiquidity(address,uint256[2],uint256)":
      "0xdd3c0336a16f1b64f172b7bb0dad5b2b3c7c76f91e8c4aafd6aae60dce800153",
    "RemoveLiquidity(address,uint256[3],uint256)":
      "0xd6cc314a0b1e3b2579f8e64248e82434072e8271290eef8ad0886709304195f5",
    "RemoveLiquidityOne(address,uint256,uint256)":
      "0x9e96dd3b997a2a257eec4df9bb6eaf626e206df5f543bd963682d143300be310",
    "RemoveLiquidityOne(address,uint256,uint256,uint256)":
      "0x5ad056f2e28a8cec232015406b843668c1e36cda598127ec3b8c59b8c72773a0",
    "RemoveLiquidityOne(address,int128,uint256,uint256,uint256)":
      "0x6f48129db1f37ccb9cc5dd7e119cb32750cabdf75b48375d730d26ce3659bbe1",
    "RemoveLiquidityOne(address,uint256,uint256,uint256,uint256,uint256)":
      "0xe200e24d4a4c7cd367dd9befe394dc8a14e6d58c88ff5e2f512d65a9e0aa9c5c",
    "RemoveLiquidityImbalance(address,uint256[2],uint256[2],uint256,uint256)":
      "0x2b5508378d7e19e0d5fa338419034731416c4f5b219a10379956f764317fd47e",
    "RemoveLiquidityImbalance(address,uint256[3],uint256[3],uint256,uint256)":
      "0x173599dbf9c6ca6f7c3b590df07ae98a45d74ff54065505141e7de6c46a624c2",
    "RemoveLiquidityImbalance(address,uint256[],uint256[],uint256,uint256)":
      "0x3631c28b1f9dd213e0319fb167b554d76b6c283a41143eb400a0d1adb1af1755",
    "DepositedToBins(address,address,uint256[],bytes32[])":
      "0x87f1f9dcf5e8089a3e00811b6a008d8f30293a3da878cb1fe8c90ca376402f8a",
    "WithdrawnFromBins(address,address,uint256[],bytes32[])":
      "0xa32e146844d6144a22e94c586715a1317d58a8aa3581ec33d040113ddcb24350",
    "RemoveLiquidity(address,uint256[4],uint256[4],uint256)":
      "0x9878ca375e106f2a43c3b599fc624568131c4c9a4ba66a14563715763be9d59d",
    "RemoveLiquidityImbalance(address,uint256[4],uint256[4],uint256,uint256)":
      "0xb964b72f73f5ef5bf0fdc559b2fab9a7b12a39e47817a547f1f0aee47febd602",
  },
  borrowing: {
    "Borrow(address,address,address,uint256,uint8,uint256,uint16)":
      "0xb3d084820fb1a9decffb176436bd02558d15fac9b0ddfed8c465bc7359d7dce0",
    "Borrow(address,address,address,uint256,uint256,uint256,uint16)":
      "0xc6a898309e823ee50bac64e45ca8adba6690e99e7841c45d754e2a38e9019d9b",
    "Borrow(address,uint256,uint256,uint256)":
      "0x13ed6866d4e1ee6da46f845c46d7e54120883d75c5ea9a2dacc1c4ca8984ab80",
    "Borrow(bytes32,address,address,address,uint256,uint256)":
      "0x570954540bed6b1304a87dfe815a5eda4a648f7097a16240dcd85c9b5fd42a43",
  },
  repaying: {
    "Repay(address,address,address,uint256,bool)":
      "0xa534c8dbe71f871f9f3530e97a74601fea17b426cae02e1c5aee42c96c784051",
    "Repay(address,address,address,uint256)":
      "0x4cdde6e09bb755c9a5589ebaec640bbfedff1362d4b255ebf8339782b9942faa",
    "RepayBorrow(address,address,uint256,uint256,uint256)":
      "0x1a2a22cb034d26d1854bdc6666a5b91fe25efbbb5dcad3b0355478d6f5c362a1",
    "Repay(bytes32,address,address,uint256,uint256)":
      "0x52acb05cebbd3cd39715469f22afbf5a17496295ef3bc9bb5944056c63ccaa09",
  },
  lending: {
    "Supply(address,address,address,uint256,uint16)":
      "0x2b627736bca15cd5381dcf80b0bf11fd197d01a037c52b927a881a10fb73ba61",
    "Deposit(address,address,address,uint256,uint16)":
      "0xde6857219544bb5b7746f48ed30be6386fefc61b2f864cacf559893bf50fd951",
    "Withdraw(address,address,address,uint256)":
      "0x3115d1449a7b732c986cba18244e897a450f61e1bb8d589cd2e69e6c8924f9f7",
    "Redeem(address,uint256,uint256)": "0xe5b754fb1abb7f01b499791d0b820ae3b6af3424ac1c59768edb53f4ec31a929",
    "Supply(address,address,uint256)": "0xd1cf3d156d5f8f0d50f6c122ed609cec09d35c9b9fb3fff6ea0959134dae424e",
    "SupplyCollateral(address,address,address,uint256)":
      "0xfa56f7b24f17183d81894d3ac2ee654e3c26388d17a28dbd9549b8114304e1f4",
    "WithdrawCollateral(address,address,address,uint256)":
      "0xd6d480d5b3068db003533b170d67561494d72e3bf9fa40a266471351ebba9e16",
    "Supply(bytes32,address,address,uint256,uint256)":
      "0xedf8870433c83823eb071d3df1caa8d008f12f6440918c20d75a3602cda30fe0",
    "Withdraw(bytes32,address,address,address,uint256,uint256)":
      "0xa56fc0ad5702ec05ce63666221f796fb62437c32db1aa1aa075fc6484cf58fbf",
    "SupplyCollateral(bytes32,address,address,uint256)":
      "0xa3b9472a1399e17e123f3c2e6586c23e504184d504de59cdaa2b375e880c6184",
    "WithdrawCollateral(bytes32,address,address,address,uint256)":
      "0xe80ebd7cc9223d7382aab2e0d1d6155c65651f83d53c8b9b06901d167e321142",
    "Deposit(address,address,uint256,uint256)":
      "0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7",
    "Withdraw(address,address,address,uint256,uint256)":
      "0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db",
    "Withdraw(address,address,uint256)": "0x9b1bfa7fa9ee420a16e124f794c35ac9f90472acc99140eb2f6447c714cad8eb",
  },
  staking: {
    "Submitted(address,uint256,address)":
      "0x96a25c8ce0baabc1fdefd93e9ed25d8e092a3332f3aa9a41722b5697231d1d1a",
    "Staked(address,uint256)": "0x9e71bc8eea02a63969f509818f2dafb9254532904319f9dbda79b67bd34a5f3d",
    "Staked(address,uint256,uint256)": "0x1449c6dd7851abc30abf37f57715f492010519147cc2652fbc38202c18a6ee90",
    "Stake(address,uint256)": "0xebedb8b3c678666e7f36970bc8f57abf6d8fa2e828c0da91ea5b75bf68ed101a",
    "Unstaked(address,uint256)": "0x0f5bb82176feb1b5e747e28471aa92156a04d9f3ab9f45f28e2d704232b93f75",
    "Unstake(address,uint256)": "0x85082129d87b2fe11527cb1b3b7a520aeb5aa6913f88a3d8757fe40d1db02fdd",
    "Withdrawn(address,uint256)": "0x7084f5476618d8e60b11ef0d7d3f06914655adb8793e28ff7f018d4c76d505d5",
    "Deposit(address,uint256)": "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c",
    "Withdraw(address,uint256)": "0x884edad9ce6fa2440d8a54cc123490eb96d2768479d49ff9c7366125a9424364",
    "Deposit(address,address,uint256)": "0x5548c837ab068cf56a2c2479df0882a4922fd203edb7517321831d95078c5f62",
    "Deposit(address,uint256,uint256)": "0x90890809c654f11d6e72a28fa60149770a0d11ec6c92319d6ceb2bb0a4ea1a15",
    "Withdraw(address,uint256,uint256)": "0xf279e6a1f5e320cca91135676d9cb6e44ca8a08c0b88342bcdb1144f6511b568",
    "Staked(address,address,uint256)": "0x5dac0c1b1112564a045ba943c9d50270893e8e826c49be8e7073adc713ab7bd7",
    "Staked(address,address,uint256,uint256)":
      "0x6c86f3fd5118b3aa8bb4f389a617046de0a3d3d477de1a1673d227f802f616dc",
    "Redeem(address,address,uint256,uint256)":
      "0x3f693fff038bb8a046aa76d9516190ac7444f7d69cf952c4cbdc086fdef2d6fc",
    "DepositReceived(address,uint256,uint256)":
      "0x7aa1a8eb998c779420645fc14513bf058edb347d95c2fc2e6845bdc22f888631",
    "TokensMinted(address,uint256,uint256,uint256)":
      "0x6155cfd0fd028b0ca77e8495a60cbe563e8bce8611f0aad6fedbdaafc05d44a2",
    "TokensBurned(address,uint256,uint256,uint256)":
      "0x19783b34589160c168487dc7f9c51ae0bcefe67a47d6708fba90f6ce0366d3d1",
    "Deposit(address,address,address,uint256)":
      "0x7cfff908a4b583f36430b25d75964c458d8ede8a99bd61be750e97ee1b2f3a96",
    "Deposit(address,uint256,uint256,int128,uint256)":
      "0x4566dfc29f6f11d13a418c26a02bef7c28bae749d4de47e4e6a7cddea6730d59",
    "Deposit(address,uint256,uint8,uint256,uint256,uint256)":
      "0x8835c22a0c751188de86681e15904223c054bedd5c68ec8858945b7831290273",
    "Withdraw(address,uint256,uint256,uint256)":
      "0x02f25270a4d87bea75db541cdfe559334a275b4a233520ed6c0a2429667cca94",
    "ETHSubmitted(address,address,uint256,uint256)":
      "0x29b3e86ecfd94a32218997c40b051e650e4fd8c97fc7a4d266be3f7c61c5205b",
  },
  unstaking: {
    "WithdrawalRequested(uint256,address,address,uint256,uint256)":
      "0xf0cb471f23fb74ea44b8252eb1881a2dca546288d9f6e90d1a0e82fe0ed342ab",
    "WithdrawalClaimed(uint256,address,address,uint256)":
      "0x6ad26c5e238e7d002799f9a5db07e81ef14e37386ae03496d7a7ef04713e145b",
  },
  bridge: {
    "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)":
      "0x32ed1a409ef04c7b0227189c3a103dc5ac10e775a15b785dcc510201f7c25ad3",
    "V3FundsDeposited(address,address,uint256,uint256,uint256,uint32,uint32,uint32,uint32,address,address,address,bytes)":
      "0xa123dc29aebf7d0c3322c8eeb5b999e859f39937950ed31056532713d0de396f",
    "LiFiTransferStarted((bytes32,string,string,address,address,address,uint256,uint256,bool,bool))":
      "0xcba69f43792f9f399347222505213b55af8e0b0b54b893085c2e27ecbe1644f1",
    "OFTSent(bytes32,uint32,address,uint256,uint256)":
      "0x85496b760a4b7f8d66384b9df21b381f5d1b1e79f229a47aaf4c232edc2fe59a",
    "OFTReceived(bytes32,uint32,address,uint256)":
      "0xefed6d3500546b29533b128a29e3a94d70788727f0507505ac12eaf2e578fd9c",
    "LogAnySwapOut(address,address,address,uint256,uint256,uint256)":
      "0x97116cf6cd4f6412bb47914d6db18da9e16ab2142f543b86e207c24fbd16b23a",
    "ETHBridgeInitiated(address,address,uint256,bytes)":
      "0x2849b43074093a05396b6f2a937dee8565b15a48a7b3d4bffb732a5017380af5",
    "ERC20BridgeInitiated(address,address,address,address,uint256,bytes)":
      "0x7ff126db8024424bbfd9826e8ab82ff59136289ea440b04b39a0df1b03b9cabf",
    "ETHDepositInitiated(address,address,uint256,bytes)":
      "0x35d79ab81f2b2017e19afb5c5571778877782d7a8786f5907f93b0f4702f4f23",
    "ERC20DepositInitiated(address,address,address,address,uint256,bytes)":
      "0x718594027abd4eaed59f95162563e0cc6d0e8d5b86b1c7be8b1b0ac3343d0396",
    "WithdrawalInitiated(address,address,address,address,uint256,bytes)":
      "0x73d170910aba9e6d50b102db522b1dbcd796216f5128b445aa2135272886497e",
    "ETHBridgeFinalized(address,address,uint256,bytes)":
      "0x31b2166ff604fc5672ea5df08a78081d2bc6d746cadce880747f3643d819e83d",
    "ERC20BridgeFinalized(address,address,address,address,uint256,bytes)":
      "0xd59c65b35445225835c83f50b6ede06a7be047d22e357073e250d9af537518cd",
    "WithdrawalFinalized(bytes32,bool)": "0xdb5c7652857aa163daadd670e116628fb42e869d8ac4251ef8971d9e5727df1b",
    "DepositFinalized(address,address,address,address,uint256,bytes)":
      "0xb0444523268717a02698be47d0803aa7468c00acbed2f8bd93a0459cde61dd89",
    "MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)":
      "0x02a52367d10742d8032712c1bb8e0144ff1ec5ffda1ed7d70bb05a2744955054",
    "TransactionDeposited(address,address,uint256,bytes)":
      "0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32",
    "DepositForBurn(uint64,address,uint256,address,bytes32,uint32,bytes32,bytes32)":
      "0x2fa9ca894982930190727e75500a97d8dc500233a5065e0f3126c48fbe0343c0",
    "DepositForBurn(address,uint256,address,bytes32,uint32,bytes32,bytes32,uint256,uint32,bytes)":
      "0x0c8c1cbdc5190613ebd485511d4e2812cfa45eecb79d845893331fedad5130a5",
    "MintAndWithdraw(address,uint256,address)":
      "0x1b2a7ff080b8cb6ff436ce0372e399692bbfb6d4ae5766fd8d58a7b8cc6142e6",
    "LogMessagePublished(address,uint64,uint32,bytes,uint8)":
      "0x6eb224fb001ed210e379b335e35efe88672a8ce935d981a6896b27ffdf52a3b2",
    "InboxMessageDelivered(uint256,bytes)":
      "0xff64905f73a67fb594e0f940a8075a860db489ad991e032f48c81123eb52d60b",
    "MessageDelivered(uint256,bytes32,address,uint8,address,bytes32,uint256,uint64)":
      "0x5e3c1311ea442664e8b1611bfabef659120ea7a0a2cfc0667700bebc69cbffe1",
    "OutBoxTransactionExecuted(address,address,uint256,uint256)":
      "0x20af7f3bbfe38132b8900ae295cd9c8d1914be7052d061a511f3f728dab18964",
    "L2ToL1Tx(address,address,uint256,uint256,uint256,uint256,uint256,uint256,bytes)":
      "0x3e7aafa77dbf186b7fd488006beff893744caa3c4f6f299e8a709fa2087374fc",
    "ContractCallWithToken(address,string,string,bytes32,bytes,string,uint256)":
      "0x7e50569d26be643bda7757722291ec66b1be66d8283474ae3fab5a98f878a7a2",
    "TokenSent(address,string,string,string,uint256)":
      "0x651d93f66c4329630e8d0f62488eff599e3be484da587335e8dc0fcf46062726",
    "Send(bytes32,address,address,address,uint256,uint64,uint64,uint32)":
      "0x89d8051e597ab4178a863a5190407b98abfeff406aa8db90c59af76612e58f01",
    "Relay(bytes32,address,address,address,uint256,uint64,bytes32)":
      "0x79fa08de5149d912dce8e5e8da7a7c17ccdf23dd5d3bfe196802e6eb86347c7c",
    "LockedERC20(address,address,address,uint256)":
      "0x9b217a401a5ddf7c4d474074aff9958a18d48690d77cc2151c4706aa7348b401",
    "LockedEther(address,address,uint256)":
      "0x3e799b2d61372379e767ef8f04d65089179b7a6f63f9be3065806456c7309f1b",
    "ExitedEther(address,uint256)": "0x0fc0eed41f72d3da77d0f53b9594fc7073acd15ee9d7c536819a70a67c57ef3c",
    "FilledV3Relay(address,address,uint256,uint256,uint256,uint256,uint32,uint32,uint32,address,address,address,address,bytes,(address,bytes,uint256,uint8))":
      "0x571749edf1d5c9599318cdbc4e28a6475d65e87fd3b2ddbe1e9a8d5e7a0f0ff7",
    "FilledRelay(bytes32,bytes32,uint256,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32,bytes32,(bytes32,bytes32,uint256,uint8))":
      "0x44b559f101f8fbcc8a0ea43fa91a05a729a5ea6e14a7c75aa750374690137208",
    "TransferSent(bytes32,uint256,address,uint256,bytes32,uint256,uint256,uint256,uint256)":
      "0xe35dddd4ea75d7e9b3fe93af4f4e40e778c3da4074c9d93e7c6536f1e803c1eb",
    "SocketBridge(uint256,address,uint256,bytes32,address,address,bytes32)":
      "0x74594da9e31ee4068e17809037db37db496702bf7d8d63afe6f97949277d1609",
    "CreatedOrder((uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes),bytes32,bytes,uint256,uint256,uint32,bytes)":
      "0xfc8703fd57380f9dd234a89dce51333782d49c5902f307b02f03e014d18fe471",
    "MintAndWithdraw(address,uint256,address,uint256)":
      "0x50c55e915134d457debfa58eb6f4342956f8b0616d51a89a3659360178e1ab63",
    "TransferSentToL2(uint256,address,uint256,uint256,uint256,address,uint256)":
      "0x0a0607688c86ec1775abcdbab7b33a3a35a6c9cde677c9be880150c231cc6b0b",
    "TransferFromL1Completed(address,uint256,uint256,uint256,address,uint256)":
      "0x320958176930804eb66c2343c7343fc0367dc16249590c0f195783bee199d094",
    "WithdrawalBonded(bytes32,uint256)": "0x0c3d250c7831051e78aa6a56679e590374c7c424415ffe4aa474491def2fe705",
    "Swap(uint16,uint256,address,uint256,uint256,uint256,uint256,uint256)":
      "0x34660fc8af304464529f48a778e03d03e4d34bcd5f9b6f0cfbf3cd238c642f7f",
    "SwapRemote(address,uint256,uint256,uint256)":
      "0xfb2b592367452f1c437675bed47f5e1e6c25188c17d7ba01a12eb030bc41ccef",
    "TokenDeposit(address,uint256,address,uint256)":
      "0xda5273705dbef4bf1b902a131c2eac086b7e1476a8ab0cb4da08af1fe1bd8e3b",
    "TokenDepositAndSwap(address,uint256,address,uint256,uint8,uint8,uint256,uint256)":
      "0x79c15604b92ef54d3f61f0c40caab8857927ca3d5092367163b4562c1699eb5f",
    "TokenRedeem(address,uint256,address,uint256)":
      "0xdc5bad4651c5fbe9977a696aadc65996c468cde1448dd468ec0d83bf61c4b57c",
    "TokenRedeemAndSwap(address,uint256,address,uint256,uint8,uint8,uint256,uint256)":
      "0x91f25e9be0134ec851830e0e76dc71e06f9dade75a9b84e9524071dbbc319425",
    "TokenMint(address,address,uint256,uint256,bytes32)":
      "0xbf14b9fde87f6e1c29a7e0787ad1d0d64b4648d8ae63da21524d9fd0f283dd38",
    "TokenWithdraw(address,address,uint256,uint256,bytes32)":
      "0x8b0afdc777af6946e53045a4a75212769075d30455a212ac51c9b16f9c5c9b26",
    "ExitedERC20(address,address,uint256)":
      "0xbb61bd1b26b3684c7c028ff1a8f6dabcac2fac8ac57b66fa6b1efb6edeab03c4",
    "UserRequestForSignatures(address,uint256)":
      "0x83b8b9e48902d5493442b3cdac1ce629cf4bf9a636adf68783d8ab4f5594ac43",
    "UserRequestForAffirmation(address,uint256)":
      "0x1d491a427d1f8cc0d447496f300fac39f7306122481d8e663451eb268274146b",
    "AffirmationCompleted(address,uint256,bytes32)":
      "0x6fc115a803b8703117d9a3956c5a15401cb42401f91630f015eb6b043fa76253",
    "RelayedMessage(address,uint256,bytes32)":
      "0x4ab7d581336d92edbea22636a613e8e76c99ac7f91137c1523db38dbfb3bf329",
    "TokensBridgingInitiated(address,address,uint256,bytes32)":
      "0x59a9a8027b9c87b961e254899821c9a276b5efc35d1f7409ea4f291470f1629a",
    "TokensBridged(address,address,uint256,bytes32)":
      "0x9afd47907e25028cdaca89d193518c302bbb128617d5a992c5abd45815526593",
    "DepositETH(address,address,uint256,bytes)":
      "0x6670de856ec8bf5cb2b7e957c5dc24759716056f79d97ea5e7c939ca0ba5a675",
    "FinalizeDepositETH(address,address,uint256,bytes)":
      "0x9e86c356e14e24e26e3ce769bf8b87de38e0faa0ed0ca946fa09659aa606bd2d",
    "WithdrawETH(address,address,uint256,bytes)":
      "0xd8ed6eaa9a7a8980d7901e911fde6686810b989d3082182d1d3a3df6306ce20e",
    "FinalizeWithdrawETH(address,address,uint256,bytes)":
      "0x96db5d1cee1dd2760826bb56fabd9c9f6e978083e0a8b88559c741a29e9746e7",
    "DepositERC20(address,address,address,address,uint256,bytes)":
      "0x31cd3b976e4d654022bf95c68a2ce53f1d5d94afabe0454d2832208eeb40af25",
    "FinalizeDepositERC20(address,address,address,address,uint256,bytes)":
      "0x165ba69f6ab40c50cade6f65431801e5f9c7d7830b7545391920db039133ba34",
    "WithdrawERC20(address,address,address,address,uint256,bytes)":
      "0xd8d3a3f4ab95694bef40475997598bcf8acd3ed9617a4c1013795429414c27e8",
    "FinalizeWithdrawERC20(address,address,address,address,uint256,bytes)":
      "0xc6f985873b37805705f6bce756dce3d1ff4b603e298d506288cce499926846a7",
    "ETHWithdrawalFinalized(address,address,uint256,bytes)":
      "0x2ac69ee804d9a7a0984249f508dfab7cb2534b465b6ce1580f99a38ba9c5e631",
    "ERC20WithdrawalFinalized(address,address,address,address,uint256,bytes)":
      "0x3ceee06c1e37648fcbb6ed52e17b3e1f275a1f8c7b22a84b2b84732431e046b3",
    "DepositInitiated(address,address,address,uint256,uint256)":
      "0xb8910b9960c443aac3240b98585384e3a6f109fbf6969e264c3f183d69aba7e1",
    "DepositFinalized(address,address,address,uint256)":
      "0xc7f2e9c55c40a50fbc217dfc70cd39a222940dfa62145aa0ca49eb9535d4fcb2",
    "WithdrawalInitiated(address,address,address,uint256,uint256,uint256)":
      "0x3073a74ecb728d10be779fe19a74a1428e20468f5b4d167bf9c73d9067847d73",
    "WithdrawalFinalized(address,address,address,uint256,uint256)":
      "0x891afe029c75c4f8c5855fc3480598bc5a53739344f6ae575bdb7ea2a79f56b3",
    "WithdrawalFinalized(address,address,uint256)":
      "0xac1b18083978656d557d6e91c88203585cfda1031bdb14538327121ef140d383",
    "DepositInitiated(bytes32,address,address,address,uint256)":
      "0xdd341179f4edc78148d894d0213a96d212af2cbaf223d19ef6d483bdd47ab81d",
    "MessageSent(address,address,uint256,uint256,uint256,bytes,bytes32)":
      "0xe856c2b8bd4eb0027ce32eeaf595c21b0b6b4644b326e5b7bd80a1cf8db72e6c",
    "MessageClaimed(bytes32)": "0xa4c827e719e911e8f19393ccdb85b5102f08f0910604d340ba38390b7ff2ab0e",
    "BridgeEvent(uint8,uint32,address,uint32,address,uint256,bytes,uint32)":
      "0x501781209a1f8899323b96b4ef08b168df93e0a90c673d1e4cce39366cb62f9b",
    "ClaimEvent(uint256,uint32,address,address,uint256)":
      "0x1df3f2a973a00d6635911755c260704e95e8a5876997546798770f76396fda4d",
    "SentTransferRemote(uint32,bytes32,uint256)":
      "0xd229aacb94204188fe8042965fa6b269c62dc5818b21238779ab64bdd17efeec",
    "ReceivedTransferRemote(uint32,bytes32,uint256)":
      "0xba20947a325f450d232530e5f5fce293e7963499d5309a07cee84a269f2f15a6",
    "TransferRedeemed(uint16,bytes32,uint64)":
      "0xcaf280c8cfeba144da67230d9b009c8f868a75bac9a528fa0474be1ba317c169",
    "FundsDeposited(uint256,uint256,uint256,int64,uint32,uint32,address,address,address,bytes)":
      "0xafc4df6845a4ab948b492800d3d8a25d538a102a2bc07cd01f1cfa097fddcff6",
  },
  order: {
    "OrderPlacement(address,(address,address,address,uint256,uint256,uint32,bytes32,uint256,bytes32,bool,bytes32,bytes32),(uint8,bytes),bytes)":
      "0xcf5f9de2984132265203b5c335b25727702ca77262ff622e136baa7362bf1da9",
    "OrderInvalidated(address,bytes)": "0x875b6cb035bbd4ac6500fabc6d1e4ca5bdc58a3e2b424ccb5c24cdbebeb009a9",
    "OrderInvalidation(bytes)": "0xb8bad102ac8bbacfef31ff1c906ec6d951c230b4dce750bb0376b812ad35852a",
    "OrderRefund(bytes,address)": "0x195271068a288191e4b265c641a56b9832919f69e9e7d6c2f31ba40278aeb85a",
  },
};

const PURPOSE_OF = new Map<string, Purpose>(
  (Object.keys(PURPOSE_EVENTS) as Purpose[]).flatMap((purpose) =>
    Object.values(PURPOSE_EVENTS[purpose]).map((topic): [string, Purpose] => [topic, purpose]),
  ),
);

export const purposeOf = (topic: string | undefined): Purpose | undefined =>
  topic === undefined ? undefined : PURPOSE_OF.get(topic);

/** What distributors say when somebody takes what was set aside for them: signature → topic. */
export const CLAIM_EVENTS: Record<string, string> = {
  "Claimed(uint256,address,uint256)": "0x4ec90e965519d92681267467f775ada5bd214aa92c0dc93d90a5e880ce9ed026",
  "Claimed(address,uint256)": "0xd8138f8a3f377c5259ca548e70e4c2de94f129f5a11036a15b69513cba2b426a",
  "Claim(address,uint256)": "0x47cee97cb7acd717b3c0aa1435d004cd5b3c8c57d70dbceb4e4458bbd60e39d4",
  "HasClaimed(address,uint256)": "0x8629b200ebe43db58ad688b85131d53251f3f3be4c14933b4641aeebacf1c08c",
  "Claimed(address,uint256,uint256)": "0x987d620f307ff6b94d58743cb7a7509f24071586a77759b77c2d4e29f75a2f9a",
  "Claimed(uint256,uint256,address,uint256)":
    "0xb94bf7f9302edf52a596286915a69b4b0685574cffdedd0712e3c62f2550f0ba",
  "AirdropClaimed(address,uint256)": "0x650e45f04ef8a0c267b2f78d983913f69ae3a353b2b32de5429307522be0ab55",
  "TokensClaimed(address,uint256)": "0x896e034966eaaf1adc54acc0f257056febbd300c9e47182cf761982cf1f5e430",
  "Claim(uint256,address,uint256)": "0x3ed1528b0fdc7c5207c1bf935e34a667e13656b9ed165260c522be0bc544f303",
};

export const CLAIM_TOPICS: ReadonlySet<string> = new Set(Object.values(CLAIM_EVENTS));
