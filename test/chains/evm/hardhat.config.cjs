// The test chain's settings come from the process that starts it (node.ts): which chain it claims to be, when it began, and how
// many accounts have coins.
module.exports = {
  networks: {
    hardhat: {
      chainId: Number(process.env.TEST_CHAIN_ID ?? "31337"),
      initialDate: process.env.TEST_CHAIN_BEGAN,
      accounts: { count: Number(process.env.TEST_CHAIN_ACCOUNTS ?? "20") },
      // Some of the pool contracts are built larger than mainnet's limit for one contract.
      allowUnlimitedContractSize: true,
      mining: { auto: true },
    },
  },
};
