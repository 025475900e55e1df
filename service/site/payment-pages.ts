// The page that shows one stablecoin payment to anyone who has its link, the state that the page polls, and the button
// that pays a test coin. The id in the link can't be guessed; views are rate-limited by address anyway.
import { Fault, fault } from "../../contract/errors.ts";
import type { AssetUrls } from "../../web/assets/assets.ts";
import { renderPaymentPage } from "../../web/pay/page.tsx";
import type { Access } from "../access/access.ts";
import type { PageRequest, SitePage } from "../api/page.ts";
import type { StablecoinPayments } from "../billing/stablecoin/payments.ts";
import { seeOther } from "./forms.ts";
import { isFromOwnPage } from "./own-origin.ts";
import { html, json } from "./pages.ts";

export function paymentPages(parts: {
  access: Pick<Access, "identify" | "pace">;
  payments: StablecoinPayments;
  assets: AssetUrls;
  publicUrl: () => string;
}): Record<string, SitePage> {
  const { access, payments, assets, publicUrl } = parts;
  const look = async (request: PageRequest, address: string) => {
    await access.pace(await access.identify(null, address, "keyless"), "keyless");
    return payments.page(request.params?.paymentId ?? "");
  };
  return {
    "/pay/{paymentId}/page": {
      GET: async (request, address) => {
        const payment = await look(request, address);
        const path = `/pay/${payment.paymentId}`;
        const options = { statePath: `${path}/state`, testPath: `${path}/test`, publicUrl: publicUrl() };
        return html(renderPaymentPage(payment, options, assets));
      },
    },
    "/pay/{paymentId}/test": {
      POST: async (request, address) => {
        if (!isFromOwnPage(request, publicUrl()))
          throw fault("origin_refused", "This form was sent from another site.");
        const { paymentId } = await look(request, address);
        await payments.payTest(paymentId).catch((error) => {
          // Paid meanwhile, or never payable here: the page shows its status.
          if (!(error instanceof Fault)) throw error;
        });
        return seeOther(`/pay/${paymentId}/page`);
      },
    },
    "/pay/{paymentId}/state": { GET: async (request, address) => json(await look(request, address)) },
  };
}
