// Trunk's post_build hook. The page's Content-Security-Policy forbids inline scripts and styles, so:
// moves the reload script that `trunk serve` injects into a file, and fails on any other inline one.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinAndShrink } from "./smaller.mjs";

const dir = process.env.TRUNK_STAGING_DIR;
const page = join(dir, "index.html");
let html = readFileSync(page, "utf8");

html = html.replace(/<script>((?:(?!<\/script>)[^])*__TRUNK_WS_BASE__[^]*?)<\/script>/, (_, code) => {
  // The server fills these two placeholders in HTML only. "/" is ws_base in Trunk.toml.
  code = code.replace("'{{__TRUNK_ADDRESS__}}'", "location.host").replace("{{__TRUNK_WS_BASE__}}", "/");
  writeFileSync(join(dir, "trunk-reload.js"), code);
  return '<script src="./trunk-reload.js"></script>';
});
writeFileSync(page, html);

const bare = html.replace(/<!--[^]*?-->/g, "");
const inline = bare.match(/<script(?![^>]*\ssrc=)[^>]*>|<style\b|<[a-z][^>]*\s(?:style|on[a-z]+)=/i);
if (inline) {
  console.error(`no-inline: index.html has ${inline[0]}, which its Content-Security-Policy forbids`);
  process.exit(1);
}

if (process.env.TRUNK_PROFILE === "release") joinAndShrink(dir);
