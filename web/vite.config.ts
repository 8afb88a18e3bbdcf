import { gzipSync } from "node:zlib";

import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8787";

/** A gzipped copy of each script and stylesheet, which the server sends as it is. */
function gzipped(): Plugin {
  return {
    name: "gzipped",
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
  plugins: [react(), gzipped()],
  build: {
    outDir: "../src/mindhit/api/static",
    emptyOutDir: true,
    // Separate files, because the server's Content-Security-Policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the bundled packages have to be shipped with them.
    license: { fileName: "licenses.md" },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/v1": server, "/readyz": server, "/openapi.json": server },
  },
  test: {
    environment: "jsdom",
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 20_000,
    css: { include: [/tokens\.css/, /\.css\?raw/] }, // tokens.ts and structure.test.ts read them
  },
});
