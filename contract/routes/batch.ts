// Several reads in one round trip. A batch is an envelope: it has no price, and each request in it is priced, limited,
// cached and answered as if it had been sent separately.
import { z } from "zod";
import { parameter } from "../parts.ts";
import { defineRoute, FREE, NO_CACHE } from "../route.ts";
import { BatchAnswer } from "../shapes/batch.ts";

/** As many as fit into half a minute of the smallest plan; a longer list is two batches. */
export const BATCH_REQUESTS_MAX = 25;
/** Longer than any valid path and query, and 25 of them fit into a request body. */
const PATH_LENGTH_MAX = 2_000;
const ID_LENGTH_MAX = 64;
/** A few ETags; ours have about twenty characters. */
const ETAGS_LENGTH_MAX = 256;

/** Visible ASCII after a single slash, no fragment, and no segment that a client would resolve away. */
const PATH = /^\/(?!\/)(?![^?]*\/(?:\.|%2e){1,2}(?:[/?]|$))[\x21\x22\x24-\x5b\x5d-\x7e]*$/i;

const BatchRequest = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(ID_LENGTH_MAX)
    .regex(/^\P{Cc}*$/u)
    .optional(),
  path: z.string().max(PATH_LENGTH_MAX).regex(PATH),
  headers: z
    .strictObject({
      "if-none-match": z
        .string()
        .regex(/^[\x20-\x7e]+$/)
        .max(ETAGS_LENGTH_MAX)
        .optional(),
    })
    .optional(),
});
export type BatchRequest = z.output<typeof BatchRequest>;

const MUST: Record<string, string> = {
  id: `must be a text of 1 to ${ID_LENGTH_MAX} characters`,
  path:
    "must be a path of this service with its query, such as /v2/leaderboard/7d?limit=10: " +
    `it begins with one slash, is percent-encoded and has at most ${PATH_LENGTH_MAX} characters`,
  headers: `may hold if-none-match, a text of at most ${ETAGS_LENGTH_MAX} characters, and nothing else`,
};
const LIST_MUST = `must be a list of 1 to ${BATCH_REQUESTS_MAX} requests`;

/** The first error in a list, and in which request; undefined without any. */
function objection(list: readonly unknown[]): string | undefined {
  const seen = new Map<string, number>();
  for (const [index, given] of list.entries()) {
    const read = BatchRequest.safeParse(given);
    if (!read.success) {
      const [name] = read.error.issues[0]?.path ?? [];
      const must = MUST[String(name)];
      if (name === undefined || must === undefined)
        return `requests[${index}] must be an object of path, id and headers, and nothing else.`;
      return `requests[${index}].${String(name)} ${must}.`;
    }
    const { id } = read.data;
    if (id === undefined) continue;
    const earlier = seen.get(id);
    if (earlier !== undefined) return `requests[${index}].id is that of requests[${earlier}] too.`;
    seen.set(id, index);
  }
  return undefined;
}

const requests = z.unknown().transform((given, context): BatchRequest[] => {
  const isList = Array.isArray(given) && given.length >= 1 && given.length <= BATCH_REQUESTS_MAX;
  const size = Array.isArray(given) ? `, and this one has ${given.length}` : "";
  const sentence = isList ? objection(given) : `requests ${LIST_MUST}${size}.`;
  if (sentence === undefined) return z.array(BatchRequest).parse(given);
  context.addIssue({ code: "custom", message: sentence });
  return z.NEVER;
});

export const batch = defineRoute({
  id: "batch",
  method: "POST",
  path: "/v2/batch",
  tag: "Batch",
  access: "key",
  price: FREE,
  cache: NO_CACHE,
  summary: "Several reads in one round trip",
  description:
    `Up to ${BATCH_REQUESTS_MAX} GETs of this API that take a key. Each one is priced, limited, cached and answered as if sent alone, and one ` +
    "that fails does not affect the others. The batch itself costs nothing extra: its own x-credits-cost is the sum of what its requests cost. " +
    "It counts as many requests a minute as it holds. An invalid batch is a free 400 that says which request is wrong; then none was run. " +
    "An answer that no longer fits into the batch is a free 413 of that request. With an Idempotency-Key nothing in it is charged twice.",
  body: z.strictObject({
    requests: parameter(requests, {
      must: LIST_MUST,
      description: "The requests, answered in the same order.",
      schema: {
        type: "array",
        minItems: 1,
        maxItems: BATCH_REQUESTS_MAX,
        items: {
          type: "object",
          properties: {
            path: {
              type: "string",
              maxLength: PATH_LENGTH_MAX,
              description: "The path of a GET with its query, percent-encoded.",
            },
            id: {
              type: "string",
              minLength: 1,
              maxLength: ID_LENGTH_MAX,
              description: "Your name for this request, repeated with its answer.",
            },
            headers: {
              type: "object",
              properties: {
                "if-none-match": {
                  type: "string",
                  maxLength: ETAGS_LENGTH_MAX,
                  description:
                    "The ETag of an earlier answer; if it is unchanged, this request is a free 304.",
                },
              },
              additionalProperties: false,
              description: "Headers of this request.",
            },
          },
          required: ["path"],
          additionalProperties: false,
        },
      },
    }),
  }),
  answer: BatchAnswer,
  example: {
    body: {
      requests: [
        { id: "board", path: "/v2/leaderboard/24h?limit=3" },
        { id: "tokens", path: "/v2/leaderboard/tokens/trending?limit=3" },
        { id: "me", path: "/v2/me" },
      ],
    },
  },
});
