// A real Solana virtual machine (litesvm: the runtime and the token programs of a validator, in process) executes the
// transfers here, so what is credited is what the programs really did, references and all.
import { expect, test } from "bun:test";
import { type Address, address, getAddressEncoder, lamports } from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { TOKEN, TOKEN_2022 } from "./test-rpc.ts";
import { makeSolanaWorld } from "./test-support.ts";

const USD = 1_000_000n;
const DECIMALS = 6;
const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const ACCOUNT_AMOUNT_OFFSET = 64;

for (const program of [TOKEN, TOKEN_2022]) {
  test(`a transfer executed by ${program === TOKEN ? "SPL Token" : "Token-2022"} is credited, one it refuses is not`, async () => {
    const world = await makeSolanaWorld({ program });
    const { node, mint, recipient } = world;
    const payment = await world.payments.create({ plan: "credits", amount: 25 }, world.accountId);
    const vm = new LiteSVM();
    vm.airdrop(node.payer.address, lamports(1_000_000_000n));

    const execute = async (amount: bigint) => {
      const transfer = {
        mint,
        to: recipient,
        amount,
        references: [payment.reference],
        atMs: world.clock.now(),
      };
      const { signed, from, to } = await node.sign(transfer, vm.latestBlockhash());
      if (!vm.getAccount(to as Address).exists) {
        put(vm, mint, program, mintData());
        put(vm, from, program, accountData(mint, node.payer.address, 30n * USD));
        put(vm, to, program, accountData(mint, recipient, 0n));
      }
      const before = amountAt(vm, to);
      const fails = vm.sendTransaction(signed) instanceof FailedTransactionMetadata;
      await node.land(signed, { ...transfer, fails }, { before, after: amountAt(vm, to) });
      return { fails, after: amountAt(vm, to) };
    };

    expect(await execute(31n * USD)).toEqual({ fails: true, after: 0n });
    expect(await execute(25n * USD)).toEqual({ fails: false, after: 25n * USD });
    await world.look();
    expect((await world.payments.page(payment.paymentId)).status).toBe("credited");
    expect(await world.granted()).toEqual(["prepaid 1000000"]);
    const verdicts = (await world.payments.transfers(payment.paymentId)).map((transfer) => transfer.verdict);
    expect(verdicts.sort()).toEqual(["credited", "failed"]);
    await world.close();
  });
}

function put(vm: LiteSVM, at: string, program: string, data: Uint8Array): void {
  vm.setAccount({
    address: address(at),
    programAddress: address(program),
    data,
    executable: false,
    lamports: lamports(1_000_000_000n),
    space: BigInt(data.length),
  });
}

function mintData(): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  new DataView(data.buffer).setBigUint64(36, 1_000n * USD, true);
  data[44] = DECIMALS;
  data[45] = 1;
  return data;
}

function accountData(mint: string, owner: string, amount: bigint): Uint8Array {
  const data = new Uint8Array(ACCOUNT_BYTES);
  data.set(getAddressEncoder().encode(address(mint)), 0);
  data.set(getAddressEncoder().encode(address(owner)), 32);
  new DataView(data.buffer).setBigUint64(ACCOUNT_AMOUNT_OFFSET, amount, true);
  data[108] = 1;
  return data;
}

function amountAt(vm: LiteSVM, at: string): bigint {
  const account = vm.getAccount(at as Address);
  if (!account.exists) return 0n;
  const { buffer, byteOffset } = account.data;
  return new DataView(buffer, byteOffset).getBigUint64(ACCOUNT_AMOUNT_OFFSET, true);
}
