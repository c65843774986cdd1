/**
 * Migration 12: items are found by their certificate as it is compared, without spaces, dashes and case, in place of as it is
 * written: the warehouse asks whether it holds a slab already. Older processes write on.
 */
export const certificates = `
drop index if exists items_by_cert;
create index if not exists items_by_cert_key on items (scope_id, cert_key, item_no) where cert_key is not null;
`
