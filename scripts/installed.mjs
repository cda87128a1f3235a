// The packages of scripts/package.json, for programs in other folders, from which Node would not find them.
import path from "node:path";

/** Imports an installed package. */
export const installed = (name) => import(name);

/** The path of a file in an installed package. */
export const fileOf = (name, file) => path.join(import.meta.dirname, "node_modules", ...name.split("/"), file);
