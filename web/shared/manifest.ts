// The manifest for installing the explorer on a phone's home screen.
export const MANIFEST = JSON.stringify({
  name: "Crowdtape",
  short_name: "Crowdtape",
  description: "Who trades what, why, and how it went.",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#f7f6f2",
  theme_color: "#0a6b4d",
  icons: [{ src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }],
});
