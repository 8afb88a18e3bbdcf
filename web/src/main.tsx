import "./theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { startLanguages } from "./i18n";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

startLanguages();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
