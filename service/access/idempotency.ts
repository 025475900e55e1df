// Idempotency-Key: the first call runs, every repeat within 24 hours gets its answer, another body is a
// conflict. Answers may contain a new key, so they are stored sealed: only the caller's own header and key open them.
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import { Fault, fault } from "../../contract/errors.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { freshUuid } from "../../kit/ids.ts";
import { secureBytes } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import { dropHold, holdAnswer, keepAnswer } from "../store/money/idempotency.ts";

interface OnceRequest {
  /** The account's id or the caller's address. */
  subject: string;
  routeId: string;
  idempotencyKey: string;
  /** The Authorization header, or "" without one. */
  credential: string;
  body: string;
  /** True: interrupted work may have been charged, so it is never run again under the same key. */
  atMostOnce?: boolean;
}

interface OnceAnswer {
  status: number;
  answer: string;
}

export interface Idempotency {
  /** Runs the work once. Errors are not stored: a repeat tries again, unless part of it may have been charged. */
  run(request: OnceRequest, work: () => Promise<OnceAnswer>): Promise<OnceAnswer & { replayed: boolean }>;
}

const KEPT_FOR_MS = DAY_MS;
/** Longer than any request may take; past it the holder has died. */
const HELD_FOR_MS = 60_000;
const FORM = /^[\x21-\x7e]{1,255}$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createIdempotency({ database, clock }: { database: Database; clock: Clock }): Idempotency {
  return {
    async run(request, work) {
      if (!FORM.test(request.idempotencyKey)) {
        throw fault("invalid_parameter", "Idempotency-Key must be 1 to 255 visible ASCII characters.", {
          param: "Idempotency-Key",
        });
      }
      const { id, seal } = secretsOf(request);
      const bodyHash = createHmac("sha256", seal).update(request.body).digest("hex");
      const now = clock.now();
      const hold = {
        id,
        bodyHash,
        holder: freshUuid(),
        heldUntil: now + (request.atMostOnce ? KEPT_FOR_MS : HELD_FOR_MS),
        expiresAt: now + KEPT_FOR_MS,
      };
      const earlier = await database.write((tx) => holdAnswer(tx, hold, now));
      const endedAt = (earlier?.heldUntil ?? 0) - KEPT_FOR_MS + HELD_FOR_MS;
      if (earlier)
        return replay({ ...earlier, cutOff: request.atMostOnce === true && endedAt <= now }, bodyHash, seal);
      let done: OnceAnswer;
      try {
        done = await work();
      } catch (error) {
        // If this fails too, the hold expires.
        if (!request.atMostOnce || isRefusal(error))
          await database.write((tx) => dropHold(tx, hold)).catch(() => undefined);
        throw error;
      }
      const kept = { status: done.status, answer: await sealed(done.answer, seal) };
      await database
        .write((tx) => keepAnswer(tx, hold, kept))
        .catch((error) => {
          // A charged call is answered: a repeat is refused, not run again.
          if (!request.atMostOnce) throw error;
        });
      return { ...done, replayed: false };
    },
  };
}

/** Requests are validated before any of the work runs. */
const isRefusal = (error: unknown): boolean => error instanceof Fault && error.status < 500;

async function replay(
  kept: { bodyHash: string; status: number | null; answer: string | null; cutOff: boolean },
  bodyHash: string,
  seal: Buffer,
): Promise<OnceAnswer & { replayed: boolean }> {
  if (kept.bodyHash !== bodyHash) {
    throw fault("conflict", "This Idempotency-Key was used before with another body or another key.");
  }
  if (kept.status === null || kept.answer === null) {
    if (kept.cutOff)
      throw fault(
        "conflict",
        "The first call with this Idempotency-Key broke off and may have been charged, so it is not run again. Use another key.",
      );
    throw fault("conflict", "The first call with this Idempotency-Key is still under way.", {
      retryAfterSeconds: 1,
    });
  }
  return { status: kept.status, answer: await opened(kept.answer, seal), replayed: true };
}

/** The storage id, which is not secret, and the key that opens it, which is never stored. */
function secretsOf({ subject, routeId, idempotencyKey, credential }: OnceRequest) {
  const place = [subject, routeId, idempotencyKey].join("\n");
  return {
    id: createHmac("sha256", "crowdtape idempotency place").update(place).digest("hex"),
    seal: createHmac("sha256", "crowdtape idempotency seal").update(`${place}\n${credential}`).digest(),
  };
}

/** Marks an answer that was compressed before it was sealed; no base64 starts with it. */
const PACKED = "z:";
/** A batch may have a megabyte of JSON; the others have a few hundred bytes. */
const PACKED_FROM_LENGTH = 4_096;

async function sealed(text: string, seal: Buffer): Promise<string> {
  const isPacked = text.length >= PACKED_FROM_LENGTH;
  const plain = isPacked ? await Bun.zstdCompress(text) : Buffer.from(text, "utf8");
  const nonce = secureBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", seal, nonce);
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()]);
  const whole = Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString("base64");
  return isPacked ? `${PACKED}${whole}` : whole;
}

async function opened(text: string, seal: Buffer): Promise<string> {
  const isPacked = text.startsWith(PACKED);
  const bytes = Buffer.from(isPacked ? text.slice(PACKED.length) : text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", seal, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return (isPacked ? await Bun.zstdDecompress(plain) : plain).toString("utf8");
}
