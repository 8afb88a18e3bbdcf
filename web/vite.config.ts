import { gzipSync } from "node:zlib";

import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8787";

/** Each script and style once more, packed: the server hands them out as they are. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(js|css)$/.test(fileName)) continue;
          const source = gzipSync(file.type === "chunk" ? file.code : file.source, { level: 9 });
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source });
        }
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), packed()],
  build: {
    outDir: "../src/mindhit/api/static",
    emptyOutDir: true,
    // Files of their own, which the server's Content-Security-Policy allows: of data: addresses it takes pictures only.
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
