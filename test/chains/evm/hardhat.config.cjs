// The test chain's settings come from the process that starts it (node.ts): which chain it claims to be.
module.exports = {
  networks: {
    hardhat: {
      chainId: Number(process.env.TEST_CHAIN_ID ?? "31337"),
      // Some of the pool contracts are built larger than mainnet's limit for one contract.
      allowUnlimitedContractSize: true,
      mining: { auto: true },
    },
  },
};
