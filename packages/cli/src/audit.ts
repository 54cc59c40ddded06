// `landfall audit`: the audit trail, held against itself and against what it tells of.
import type { Command } from 'commander';
import { addAuditVerify } from './audit-verify.js';

/** Adds the group. */
export function addAudit(program: Command): void {
  addAuditVerify(program.command('audit').description('the audit trail'));
}
