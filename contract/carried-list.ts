// A list that a user takes from the explorer to a chat: stored for a day under a code that fits into a link.
import { z } from "zod";

export const CARRIED_LIST = {
  /** As many as a chat may follow. */
  itemsMax: 50,
  keptHours: 24,
  /** Stored by one server at a time. */
  listsMax: 5_000,
} as const;

const NAME_LENGTH_MAX = 64;
const names = z.array(z.string().min(1).max(NAME_LENGTH_MAX)).max(200);

/** A page's request. */
export const CarriedWish = z.strictObject({
  traders: names,
  tokens: z
    .array(z.strictObject({ address: z.string().min(1).max(NAME_LENGTH_MAX), networkId: z.int() }))
    .max(200),
});
export type CarriedWish = z.infer<typeof CarriedWish>;

/** What a bot gets: only traders and tokens that the server knows, by id. */
export const CarriedList = z.object({
  traders: z.array(z.object({ handle: z.string(), userId: z.string() })),
  tokens: z.array(z.object({ address: z.string(), networkId: z.number(), symbol: z.string() })),
});
export type CarriedList = z.infer<typeof CarriedList>;
