import { defineConfig } from "wxt";

/**
 * No permission that causes a warning is required at install: hosts and navigation are optional, and the setup page asks for
 * them and explains why; the options ask for notifications when they are turned on. The key gives the unpacked extension the same id on every machine.
 */
export default defineConfig({
  srcDir: "src",
  publicDir: "public",
  imports: false,
  outDirTemplate: "{{browser}}-mv{{manifestVersion}}",
  manifest: ({ browser }) => ({
    name: "__MSG_name__",
    description: "__MSG_description__",
    default_locale: "en",
    permissions: ["activeTab", "alarms", "contextMenus", "idle", "scripting", "storage", "unlimitedStorage"],
    optional_permissions: ["notifications", "webNavigation"],
    optional_host_permissions: ["http://*/*", "https://*/*"],
    incognito: "not_allowed",
    omnibox: { keyword: "mh" },
    action: { default_title: "__MSG_name__" },
    commands: {
      toggle: { suggested_key: { default: "Alt+Shift+R" }, description: "__MSG_commandToggle__" },
      highlight: { suggested_key: { default: "Alt+Shift+H" }, description: "__MSG_commandHighlight__" },
      save: { suggested_key: { default: "Alt+Shift+S" }, description: "__MSG_savePage__" },
    },
    ...(browser === "firefox"
      ? {
          browser_specific_settings: {
            gecko: {
              id: "extension@mindhit.invalid",
              strict_min_version: "128.0",
              data_collection_permissions: { required: ["browsingActivity", "websiteContent"] },
            },
          },
        }
      : {
          minimum_chrome_version: "120",
          key: "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2GBIlZ8mcig7aQPstN2fKZWZ8No4Qk9YAs89LdC0WvSEG8TQ+mrX3HMfrhfLtn4kkN0hjrbBMLVTWrUBZcZXIXx4tQeImaXhwvgJlL95PuXDIbCmXm5+jTLH8mX+8Rk6cuAXMjxWAEIbW7vB71u8Uc5Hi5+6uAwWyZlPlLf1Ux3dtE2nHEvLC78cHX1HabNgibDfc2mJ1Dezs4BTeTPyokeA5p8BaZYw9Z9UZRyHgqgBDvQVbFVdSyLKisXz9Q7/X0cG8p6vJSolXWJHKVHsumI/JjK3GTD+SOLfRiq5wZmWy8XyhlJIg63YgTu3xT3BNHUJ0gQAho+KblVxzrLrewIDAQAB",
        }),
  }),
});
