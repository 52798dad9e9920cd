/** The scripts of every page, in one file. */
import "./menus.ts";
import "./submit.ts";
