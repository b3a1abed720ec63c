// The handlers of routes.cpp. Each throws Problem or Error.
#pragma once

#include "http.h"
#include "routes.h"

namespace neardup::server {

Response remove_documents(Service&, const Call&);
Response get_document(Service&, const Call&);
Response delete_document(Service&, const Call&);
Response list_clusters(Service&, const Call&);
Response get_cluster(Service&, const Call&);
Response compare_documents(Service&, const Call&);
Response list_decisions(Service&, const Call&);
Response make_decision(Service&, const Call&);
Response withdraw_decision(Service&, const Call&);
Response list_changes(Service&, const Call&);
Response list_snapshots(Service&, const Call&);
Response make_snapshot(Service&, const Call&);
Response show_stats(Service&, const Call&);
Response show_openapi(Service&, const Call&);
Response show_live(Service&, const Call&);
Response show_ready(Service&, const Call&);
Response show_metrics(Service&, const Call&);
Response show_page(Service&, const Call&);

}  // namespace neardup::server
