import "./theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { startLanguages } from "./i18n";
import { startTheme } from "./theme";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

startTheme();
startLanguages();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
