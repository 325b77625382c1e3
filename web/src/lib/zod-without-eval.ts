import { config } from 'zod';

// Before the first schema: otherwise zod tries to compile its parsers, which the content security policy reports.
config({ jitless: true });
