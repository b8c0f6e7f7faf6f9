// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cache/chain.h"

namespace kiln::cache {

Result<Chain::Found> Chain::get_or_make(const Key& key, const Make& make) {
  std::shared_ptr<Flight> flight;
  {
    std::unique_lock lock(mutex_);
    auto [position, first] = flights_.try_emplace(key);
    if (!first) {
      flight = position->second;
      landed_.wait(lock, [&] { return flight->outcome.has_value(); });
      return *flight->outcome;
    }
    flight = position->second = std::make_shared<Flight>();
  }
  Result<Found> outcome = look_up_or_make(key, make);
  {
    std::lock_guard lock(mutex_);
    flight->outcome = outcome;
    flights_.erase(key);
  }
  landed_.notify_all();
  return outcome;
}

Result<Chain::Found> Chain::look_up_or_make(const Key& key, const Make& make) {
  for (size_t at = 0; at < tiers_.size(); ++at) {
    EntryPtr entry = tiers_[at]->get(key);
    if (!entry)
      continue;
    for (size_t nearer = 0; nearer < at; ++nearer)
      tiers_[nearer]->put(key, entry);
    return Found{entry, std::string(tiers_[at]->name())};
  }
  KILN_ASSIGN(Entry made, make());
  auto entry = std::make_shared<const Entry>(std::move(made));
  for (auto& tier : tiers_)
    tier->put(key, entry);
  return Found{entry, ""};
}

} // namespace kiln::cache
