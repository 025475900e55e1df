// The changes that the operator's pages make, each through the service that owns the data, and each logged with who made
// it, from where and to what.
import { z } from "zod";
import type { Chains } from "../../../contract/chains.ts";
import { fault } from "../../../contract/errors.ts";
import type { Log } from "../../../kit/log.ts";
import { normaliseAddress } from "../../../protocol/values.ts";
import { parseJson, readBodyText } from "../../api/body.ts";
import type { PageHandler } from "../../api/page.ts";
import type { AdminGuard } from "./guard.ts";
import type { AdminParts } from "./parts.ts";

const id = z.string().regex(/^[\w-]{1,100}$/);
const KeyChange = z.strictObject({ id, action: z.enum(["suspend", "resume", "revoke"]) });
const WebhookChange = z.strictObject({ id, action: z.enum(["stop", "resume"]) });
const TokenChange = z.strictObject({
  address: z.string().max(100),
  networkId: z.int(),
  verdict: z.enum(["spam", "fine"]).nullable(),
});

export function createChanges(parts: AdminParts & { guard: AdminGuard; chains: Chains; log: Log }) {
  const { access, webhooks, moderation, chains, log } = parts;

  /** `work` returns the fields to log. */
  const change =
    <Body>(
      schema: z.ZodType<Body>,
      work: (body: Body, by: string) => Promise<Record<string, unknown> & { did: string }>,
    ): PageHandler =>
    async (request, address, peer) => {
      const operator = await parts.guard(request, address, peer);
      const read = schema.safeParse(parseJson(await readBodyText(request)));
      if (!read.success) throw fault("invalid_body", "The body is not valid for this change.");
      const { did, ...fields } = await work(read.data, operator.by);
      log.info(`the operator ${did}`, { ...operator, ...fields });
      return Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
    };

  return {
    key: change(KeyChange, async ({ id: keyId, action }) => {
      const act = { suspend: access.keys.suspend, resume: access.keys.resume, revoke: access.keys.revokeAny };
      const { accountId } = await act[action](keyId);
      const did = { suspend: "suspended a key", resume: "resumed a key", revoke: "revoked a key" }[action];
      return { did, keyId, accountId };
    }),

    webhook: change(WebhookChange, async ({ id: webhookId, action }) => {
      const { accountId } = await (action === "stop" ? webhooks.stop : webhooks.resume)(webhookId);
      return { did: action === "stop" ? "stopped a webhook" : "resumed a webhook", webhookId, accountId };
    }),

    token: change(TokenChange, async ({ address, networkId, verdict }, judgedBy) => {
      const token = normaliseAddress(address);
      if (token === null || !chains.list.some((chain) => chain.id === networkId))
        throw fault("invalid_body", "This is not a token's address, or not a chain of this service.");
      await moderation.judge({ address: token, networkId, verdict, judgedBy });
      return { did: "judged a token", token, networkId, verdict };
    }),
  };
}
