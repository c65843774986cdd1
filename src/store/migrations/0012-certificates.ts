/** Migration 12: indexes certificates in comparable form, without spaces, dashes, and case. Older processes can keep writing. */
export const certificates = `
drop index if exists items_by_cert;
create index if not exists items_by_cert_key on items (scope_id, cert_key, item_no) where cert_key is not null;
`
