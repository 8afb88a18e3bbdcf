import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8787";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/mindhit/api/static",
    emptyOutDir: true,
    // The server's Content-Security-Policy allows no inline script, style or data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the bundled packages ask to travel with the bundle.
    license: { fileName: "licenses.md" },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": server, "/readyz": server, "/openapi.json": server },
  },
  test: { environment: "jsdom", restoreMocks: true, unstubGlobals: true, testTimeout: 20_000 },
});
