// For tests: a local stand-in of the part of Stripe's API that is used, over real HTTP and in Stripe's form encoding,
// with events signed as Stripe signs them.
import Stripe from "stripe";

type FormFields = Record<string, unknown>;

export interface StandInSession extends FormFields {
  id: string;
  client_reference_id: string;
}

export const WEBHOOK_SECRET = "whsec_standin0123456789abcdef";
export const SECRET_KEY = "sk_test_standin0123456789";

export class StripeStandIn {
  readonly sessions = new Map<string, StandInSession>();
  readonly prices = new Map<string, FormFields>();
  /** By payment intent. */
  readonly invoices = new Map<string, FormFields>();
  readonly stopped: string[] = [];
  readonly cancelled: string[] = [];
  readonly asked: string[] = [];
  /** All of it, or what asks like this: "METHOD /path". */
  down: boolean | RegExp = false;
  private number = 0;
  private readonly server: Bun.Server<undefined>;

  constructor() {
    this.server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.answer(request) });
  }
  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }
  stop(): Promise<void> {
    return this.server.stop(true);
  }

  /** The buyer pays: the session is complete, with a customer, a subscription and a first invoice. */
  pay(sessionId: string, more: FormFields = {}): StandInSession {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error("no such session");
    const mark = session.id.slice(3);
    Object.assign(session, {
      status: "complete",
      payment_status: "paid",
      customer: `cus_${mark}`,
      subscription: `sub_${mark}`,
      invoice: `in_${mark}`,
      customer_details: { email: "Buyer@Example.com" },
      amount_total: 4_999,
      ...more,
    });
    this.invoices.set(`pi_in_${mark}`, this.invoice(session, { id: `in_${mark}` }));
    return session;
  }

  /** An invoice of a paid session's subscription, as today's API version has it. */
  invoice(session: StandInSession, more: FormFields = {}): FormFields {
    return {
      id: `in_${++this.number}`,
      object: "invoice",
      billing_reason: "subscription_create",
      amount_paid: 4_999,
      customer: session.customer,
      customer_email: "Buyer@Example.com",
      parent: {
        type: "subscription_details",
        subscription_details: {
          subscription: session.subscription,
          metadata: { crowdtape_checkout: session.client_reference_id },
        },
      },
      lines: { data: [line(String([...this.prices.keys()][0]))] },
      ...more,
    };
  }

  /** A body and the header that Stripe would send with it. */
  async signed(
    type: string,
    object: FormFields,
    at: number,
    more: { id?: string; secret?: string; signedAt?: number } = {},
  ): Promise<{ body: string; signature: string }> {
    const body = JSON.stringify({
      id: more.id ?? `evt_${++this.number}`,
      object: "event",
      type,
      created: Math.floor(at / 1_000),
      data: { object },
    });
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: more.secret ?? WEBHOOK_SECRET,
      timestamp: Math.floor((more.signedAt ?? at) / 1_000),
    });
    return { body, signature };
  }

  private async answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const asked = `${request.method} ${url.pathname}`;
    this.asked.push(asked);
    if (this.down instanceof RegExp ? this.down.test(asked) : this.down) return refusal(500, "api_error");
    if (request.headers.get("authorization") !== `Bearer ${SECRET_KEY}`)
      return refusal(401, "authentication_error");
    const fields = new URLSearchParams(request.method === "POST" ? await request.text() : url.search);
    const [, , resource = "", second = "", third = ""] = url.pathname.split("/");
    if (resource === "checkout") return this.session(request.method, third, fields);
    if (resource === "prices") return this.price(request.method, second, fields);
    if (resource === "subscriptions" && request.method === "POST") {
      if (fields.get("cancel_at_period_end") === "true") this.stopped.push(second);
      return Response.json({ id: second, object: "subscription", status: "active" });
    }
    if (resource === "subscriptions" && request.method === "DELETE") {
      if (this.cancelled.includes(second)) return refusal(404, "invalid_request_error", "resource_missing");
      this.cancelled.push(second);
      return Response.json({ id: second, object: "subscription", status: "canceled" });
    }
    if (resource === "invoice_payments") {
      const invoice = this.invoices.get(fields.get("payment[payment_intent]") ?? "");
      const expanded = fields.get("expand[0]") === "data.invoice";
      const data = invoice ? [{ id: "inpay_1", invoice: expanded ? invoice : invoice.id }] : [];
      return Response.json({ object: "list", has_more: false, data });
    }
    return refusal(404, "invalid_request_error");
  }

  private session(method: string, id: string, fields: URLSearchParams): Response {
    if (method === "GET") {
      const found = this.sessions.get(id);
      return found ? Response.json(found) : refusal(404, "invalid_request_error");
    }
    const made: StandInSession = {
      id: `cs_${++this.number}`,
      object: "checkout.session",
      mode: fields.get("mode"),
      status: "open",
      payment_status: "unpaid",
      client_reference_id: fields.get("client_reference_id") ?? "",
      price: fields.get("line_items[0][price]"),
      checkout: fields.get("subscription_data[metadata][crowdtape_checkout]"),
      customer_email: fields.get("customer_email"),
      success_url: fields.get("success_url"),
      url: `https://checkout.stripe.com/c/pay/cs_${this.number}`,
    };
    this.sessions.set(made.id, made);
    return Response.json(made);
  }

  private price(method: string, id: string, fields: URLSearchParams): Response {
    if (method === "GET" && id !== "") {
      const found = this.prices.get(id);
      return found ? Response.json(found) : refusal(404, "invalid_request_error");
    }
    const key = fields.get(method === "GET" ? "lookup_keys[0]" : "lookup_key");
    const same = [...this.prices.values()].filter((price) => price.lookup_key === key);
    if (method === "GET") return Response.json({ object: "list", has_more: false, data: same });
    if (same.length > 0) return refusal(400, "invalid_request_error");
    const made: FormFields = {
      id: `price_${++this.number}`,
      object: "price",
      lookup_key: key,
      unit_amount: Number(fields.get("unit_amount")),
      tax_behavior: fields.get("tax_behavior"),
    };
    this.prices.set(String(made.id), made);
    return Response.json(made);
  }
}

export function line(price: string, more: FormFields = {}): FormFields {
  return {
    amount: 4_999,
    pricing: { type: "price_details", price_details: { price } },
    parent: { type: "subscription_item_details", subscription_item_details: { proration: false } },
    ...more,
  };
}

function refusal(status: number, type: string, code?: string): Response {
  return Response.json({ error: { type, code, message: "The stand-in refuses this." } }, { status });
}
