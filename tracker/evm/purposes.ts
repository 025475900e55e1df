// Events that say what a transaction was for, other than trading. They name a kind (deposit, stake, bridge, …) for flows
// that are already known not to be a swap, and never turn anything into one. Each topic stands beside its signature, and
// a test holds the two together.

export type Purpose = "liquidity" | "lending" | "borrowing" | "repaying" | "staking" | "bridge" | "order";

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
    "Withdraw(address,address,uint256)": "0x9b1bfa7fa9ee420a16e124f794c35ac9f90472acc99140eb2f6447c714cad8eb",
    "Deposit(address,uint256,uint256)": "0x90890809c654f11d6e72a28fa60149770a0d11ec6c92319d6ceb2bb0a4ea1a15",
    "Withdraw(address,uint256,uint256)": "0xf279e6a1f5e320cca91135676d9cb6e44ca8a08c0b88342bcdb1144f6511b568",
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
