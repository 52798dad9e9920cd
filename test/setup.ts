import { afterAll } from "bun:test";
import { stopServices } from "./support/services.ts";

afterAll(stopServices);
