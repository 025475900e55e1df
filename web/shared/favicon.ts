// The logo as a standalone picture, in colours that work on light and dark tabs.
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#0a6b4d"/><path d="M4 13.5h2.4l2-6 2.6 8 2-5.5h3" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
