// Shared rosters: a roster as text, its author's key, and a signature over that exact text. Importing one pins the key to the
// roster's name, so that the next one of that name must be from the same author, and not an older one.
import type { Database, Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { BadRoster } from "./file.ts";

const FORMAT = "crowdtape-roster-1";
const NAME_LENGTH_MAX = 100;
const ALGORITHM = { name: "Ed25519" };

export interface SignedRoster {
  name: string;
  /** Base64url, 43 letters. */
  key: string;
  issuedAt: number;
  /** The input of `parseRoster`. */
  text: string;
}

interface Envelope {
  format: typeof FORMAT;
  key: string;
  signature: string;
  /** JSON: {"name", "issuedAt", "traders"}. */
  roster: string;
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(base64, "base64url"));
const textOf = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("base64url");
/** The format is part of the signed bytes, so that no signature for another purpose fits. */
const signedBytes = (roster: string) => new TextEncoder().encode(`${FORMAT}\n${roster}`);

/** A new private key, as text for a file. */
export async function createSigningKey(): Promise<string> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
  return textOf(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
}

export async function signRoster(
  privateKey: string,
  { name, traders }: { name: string; traders: readonly unknown[] },
  now: number,
): Promise<string> {
  const key = await crypto.subtle.importKey("pkcs8", bytesOf(privateKey.trim()), ALGORITHM, true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const roster = JSON.stringify({ name, issuedAt: new Date(now).toISOString(), traders });
  const signature = textOf(await crypto.subtle.sign(ALGORITHM, key, signedBytes(roster)));
  const envelope: Envelope = { format: FORMAT, key: x ?? "", signature, roster };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** null: not a signed roster. Throws when it is one and the signature does not match its key. */
export async function openSigned(text: string): Promise<SignedRoster | null> {
  const envelope = envelopeIn(text);
  if (!envelope) return null;
  const { key, signature, roster } = envelope;
  if (!(await isSigned(key, signature, roster)))
    throw new BadRoster(["the signature is not that of its key"]);
  const { name, issuedAt } = JSON.parse(roster) as { name?: unknown; issuedAt?: unknown };
  const at = Date.parse(String(issuedAt));
  if (typeof name !== "string" || name.trim() === "" || name.length > NAME_LENGTH_MAX || Number.isNaN(at))
    throw new BadRoster(["a signed roster has a name and the time it was issued at"]);
  return { name, key, issuedAt: at, text: roster };
}

function envelopeIn(text: string): Envelope | null {
  if (!text.includes(FORMAT)) return null;
  try {
    const parsed = JSON.parse(text) as Partial<Envelope> | null;
    if (parsed?.format !== FORMAT) return null;
    const { key, signature, roster } = parsed;
    const isWhole = [key, signature, roster].every((part) => typeof part === "string");
    if (!isWhole) throw new BadRoster(["a signed roster has a key, a signature and a roster"]);
    return parsed as Envelope;
  } catch (error) {
    if (error instanceof BadRoster) throw error;
    return null;
  }
}

async function isSigned(key: string, signature: string, roster: string): Promise<boolean> {
  try {
    const known = await crypto.subtle.importKey("raw", bytesOf(key), ALGORITHM, false, ["verify"]);
    return await crypto.subtle.verify(ALGORITHM, known, bytesOf(signature), signedBytes(roster));
  } catch {
    return false;
  }
}

interface PinRow {
  key: string;
  issued_at: number;
}

const pinOf = (queries: Queries, source: string): Promise<PinRow | null> =>
  queries.one(sql`SELECT key, issued_at FROM tracker_roster_pin WHERE source = ${source}`);

/**
 * Checks a roster from these sources (its name, its URL) against their pins. Throws if a source was signed by another key, or
 * is no longer signed, or goes back in time; `trusted` is the key that the importer names.
 */
export async function checkPins(
  queries: Queries,
  sources: readonly string[],
  signed: Pick<SignedRoster, "key" | "issuedAt"> | null,
  trusted?: string,
): Promise<void> {
  if (trusted !== undefined && signed?.key !== trusted)
    throw new BadRoster([signed ? `it is signed by ${signed.key}` : "it is not signed"]);
  for (const source of sources) {
    const pin = await pinOf(queries, source);
    if (!pin) continue;
    if (!signed) throw new BadRoster([`${source} was signed by ${pin.key} before, and now is not signed`]);
    if (pin.key !== signed.key && trusted === undefined)
      throw new BadRoster([
        `${source} was signed by ${pin.key} before, and now by ${signed.key}: if that is meant, name the key with --key`,
      ]);
    if (pin.key === signed.key && signed.issuedAt < pin.issued_at)
      throw new BadRoster([`${source} is older than what was imported last`]);
  }
}

/** Pins the signing key of these sources. */
export async function savePins(
  database: Database,
  sources: readonly string[],
  { key, issuedAt }: Pick<SignedRoster, "key" | "issuedAt">,
): Promise<void> {
  await database.write(async (tx) => {
    for (const source of sources)
      await tx.run(
        sql`INSERT INTO tracker_roster_pin (source, key, issued_at) VALUES (${source}, ${key}, ${issuedAt})
          ON CONFLICT (source) DO UPDATE SET key = excluded.key, issued_at = excluded.issued_at`,
      );
  });
}
