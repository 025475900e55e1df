// The page that shows one stablecoin payment to anyone who has its link, and the state that the page asks for. The id in
// the link can't be guessed; looking is limited by address all the same.
import type { AssetUrls } from "../../web/assets/assets.ts";
import { renderPaymentPage } from "../../web/pay/page.tsx";
import type { Access } from "../access/access.ts";
import type { PageRequest, SitePage } from "../api/page.ts";
import type { StablecoinPayments } from "../billing/stablecoin/payments.ts";
import { html, json } from "./pages.ts";

export function paymentPages(parts: {
  access: Pick<Access, "identify" | "pace">;
  payments: StablecoinPayments;
  assets: AssetUrls;
}): Record<string, SitePage> {
  const { access, payments, assets } = parts;
  const look = async (request: PageRequest, address: string) => {
    await access.pace(await access.identify(null, address, "keyless"), "keyless");
    return payments.page(request.params?.paymentId ?? "");
  };
  return {
    "/pay/{paymentId}/page": {
      GET: async (request, address) => {
        const payment = await look(request, address);
        return html(renderPaymentPage(payment, { statePath: `/pay/${payment.paymentId}/state` }, assets));
      },
    },
    "/pay/{paymentId}/state": { GET: async (request, address) => json(await look(request, address)) },
  };
}
