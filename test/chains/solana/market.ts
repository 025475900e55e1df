// For tests: traders, tokens and constant-product pools on the test cluster. Both legs of a trade are transfers of the real
// token program in one transaction; the pool's key never signs, a delegate moves its vaults' payouts.
import {
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports as lamportsOf,
} from "@solana/kit";
import {
  approve,
  closeAccount,
  createMint,
  mintTo,
  openAccount,
  paySol,
  sendToken,
  sign,
  syncNative,
  tokenAccountOf,
  WRAPPED_SOL_MINT,
} from "./instructions.ts";
import { askedOf, type Landed, naming } from "./landed.ts";
import type { TestLedger } from "./ledger.ts";

const U64_MAX = 2n ** 64n - 1n;
const SOL = 1_000_000_000n;
/** A launchpad's curve in pump.fun's format: eight-byte figures, a flag, and its creator. */
const LAUNCHPAD = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
const CURVE_MARK = "17b7f83760d8ac60";
const CURVE_BYTES = 81;
/** How its purchase instruction starts, and its final event. */
const CURVE_BUY = "66063d1201daebea";
const CURVE_TRADED = "e445a52e51cb9a1dbddb7fd34ee661ee";
const CURVE_RENT = 1_454_640n;

export interface Pool {
  address: string;
  mint: string;
  vault: string;
  solVault: string;
}

const le64 = (value: bigint): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.toString("hex");
};

export class TestMarket {
  private constructor(
    readonly ledger: TestLedger,
    private readonly maker: KeyPairSigner,
  ) {}

  static async open(ledger: TestLedger): Promise<TestMarket> {
    const maker = await generateKeyPairSigner();
    ledger.airdrop(maker.address, 1_000_000n * SOL);
    return new TestMarket(ledger, maker);
  }

  async addTrader(lamports = 1_000n * SOL): Promise<KeyPairSigner> {
    const trader = await generateKeyPairSigner();
    this.ledger.airdrop(trader.address, lamports);
    return trader;
  }

  /** A new token with its own pool against SOL. */
  async addPool(tokens: bigint, lamports: bigint, decimals = 6): Promise<Pool> {
    const [mint, pool] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
    const maker = this.maker.address;
    const vault = await tokenAccountOf(pool.address, mint.address);
    const solVault = await tokenAccountOf(pool.address, WRAPPED_SOL_MINT);
    await this.send([this.maker, mint], createMint(maker, mint.address, decimals));
    await this.send(
      [this.maker, pool],
      [
        openAccount(maker, vault, pool.address, mint.address),
        openAccount(maker, solVault, pool.address, WRAPPED_SOL_MINT),
        mintTo(maker, mint.address, vault, tokens),
        paySol(maker, solVault, lamports),
        syncNative(solVault),
        approve(pool.address, vault, maker, U64_MAX),
        approve(pool.address, solVault, maker, U64_MAX),
      ],
    );
    return { address: pool.address, mint: mint.address, vault, solVault };
  }

  /** Pays SOL, through a wrapped account that is closed again, for the pool's output. */
  async buy(trader: KeyPairSigner, pool: Pool, lamports: bigint): Promise<Landed> {
    const out = this.quote(pool.solVault, pool.vault, lamports);
    const own = await tokenAccountOf(trader.address, pool.mint);
    const wrapped = await tokenAccountOf(trader.address, WRAPPED_SOL_MINT);
    return this.send(
      [trader, this.maker],
      [
        openAccount(trader.address, own, trader.address, pool.mint),
        openAccount(trader.address, wrapped, trader.address, WRAPPED_SOL_MINT),
        paySol(trader.address, wrapped, lamports),
        syncNative(wrapped),
        sendToken(trader.address, wrapped, pool.solVault, lamports),
        sendToken(this.maker.address, pool.vault, own, out),
        closeAccount(trader.address, wrapped, trader.address),
      ],
    );
  }

  async sell(trader: KeyPairSigner, pool: Pool, amount: bigint): Promise<Landed> {
    const out = this.quote(pool.vault, pool.solVault, amount);
    const own = await tokenAccountOf(trader.address, pool.mint);
    const wrapped = await tokenAccountOf(trader.address, WRAPPED_SOL_MINT);
    return this.send(
      [trader, this.maker],
      [
        openAccount(trader.address, wrapped, trader.address, WRAPPED_SOL_MINT),
        sendToken(trader.address, own, pool.vault, amount),
        sendToken(this.maker.address, pool.solVault, wrapped, out),
        closeAccount(trader.address, wrapped, trader.address),
      ],
    );
  }

  /**
   * A new token that a launchpad sells on a curve: the coins are in the curve's own account, which states its virtual
   * reserves.
   */
  async addCurve(tokens: bigint, virtualTokens: bigint, virtualCoins: bigint, decimals = 6): Promise<Pool> {
    const [mint, curve] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
    const maker = this.maker.address;
    const vault = await tokenAccountOf(curve.address, mint.address);
    await this.send([this.maker, mint], createMint(maker, mint.address, decimals));
    await this.send(
      [this.maker, curve],
      [
        openAccount(maker, vault, curve.address, mint.address),
        mintTo(maker, mint.address, vault, tokens),
        approve(curve.address, vault, maker, U64_MAX),
      ],
    );
    this.writeCurve(curve.address, virtualTokens, virtualCoins);
    return { address: curve.address, mint: mint.address, vault, solVault: curve.address };
  }

  /** Pays SOL into the curve's account for this many tokens, as the launchpad's program would. */
  async buyOnCurve(trader: KeyPairSigner, curve: Pool, lamports: bigint, tokens: bigint): Promise<Landed> {
    const own = await tokenAccountOf(trader.address, curve.mint);
    const { data } = this.ledger.vm.getAccount(address(curve.address)) as { data: Uint8Array };
    const held = new DataView(data.buffer, data.byteOffset);
    const virtual = (offset: number) => held.getBigUint64(offset, true);
    // The program writes its account within the transaction; here it is written in advance.
    this.writeCurve(curve.address, virtual(8) - tokens, virtual(16) + lamports);
    const landed = await this.send(
      [trader, this.maker],
      [
        openAccount(trader.address, own, trader.address, curve.mint),
        paySol(trader.address, curve.address, lamports),
        naming(LAUNCHPAD, sendToken(this.maker.address, curve.vault, own, tokens)),
      ],
    );
    return askedOf(LAUNCHPAD, landed, [1, 2], {
      data: CURVE_BUY,
      event: `${CURVE_TRADED}${Buffer.from(getAddressEncoder().encode(address(curve.mint))).toString("hex")}${le64(lamports)}${le64(tokens)}`,
    });
  }

  private writeCurve(key: string, virtualTokens: bigint, virtualCoins: bigint): void {
    const data = Buffer.alloc(CURVE_BYTES);
    data.write(CURVE_MARK, "hex");
    data.writeBigUInt64LE(virtualTokens, 8);
    data.writeBigUInt64LE(virtualCoins, 16);
    const held = this.ledger.vm.getAccount(address(key));
    this.ledger.vm.setAccount({
      address: address(key),
      programAddress: address(LAUNCHPAD),
      data: new Uint8Array(data),
      executable: false,
      lamports: lamportsOf(held.exists ? held.lamports : CURVE_RENT),
      space: BigInt(CURVE_BYTES),
    });
  }

  /** Sends a token; the sender opens the receiver's account if needed. */
  async transfer(from: KeyPairSigner, to: string, mint: string, amount: bigint): Promise<Landed> {
    const [source, target] = await Promise.all([
      tokenAccountOf(from.address, mint),
      tokenAccountOf(to, mint),
    ]);
    const open: Instruction[] = this.exists(target) ? [] : [openAccount(from.address, target, to, mint)];
    return this.send([from], [...open, sendToken(from.address, source, target, amount)]);
  }

  transferSol(from: KeyPairSigner, to: string, lamports: bigint): Promise<Landed> {
    return this.send([from], [paySol(from.address, to, lamports)]);
  }

  async balance(owner: string, mint: string): Promise<bigint> {
    return this.amountIn(await tokenAccountOf(owner, mint));
  }

  async send(signers: KeyPairSigner[], instructions: Instruction[]): Promise<Landed> {
    const landed = this.ledger.send(await sign(signers, instructions, this.ledger.vm.latestBlockhash()));
    // The next transaction may be identical: another blockhash makes it a different one.
    this.ledger.vm.expireBlockhash();
    return landed;
  }

  private quote(vaultIn: string, vaultOut: string, amount: bigint): bigint {
    const [reserveIn, reserveOut] = [this.amountIn(vaultIn), this.amountIn(vaultOut)];
    return (reserveOut * amount) / (reserveIn + amount);
  }

  private amountIn(account: string): bigint {
    const held = this.ledger.vm.getAccount(address(account));
    if (!held.exists) return 0n;
    return new DataView(held.data.buffer, held.data.byteOffset).getBigUint64(64, true);
  }

  private exists(account: string): boolean {
    return this.ledger.vm.getAccount(address(account)).exists;
  }
}
